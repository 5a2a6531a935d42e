"""Headless Chromium for the tests of pages, driven by Selenium; without them a test says so and is skipped. Checks are counted."""
import shutil, sys, time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    print("SKIPPED: python3-selenium is missing, so no browser shows the page")
    sys.exit(77)
if not (shutil.which("chromium") and shutil.which("chromedriver")):
    print("SKIPPED: chromium and chromium-driver are missing, so no browser shows the page")
    sys.exit(77)

began = time.time()
passed = failed = 0


def chromium(width=1280, height=800, **logs):
    """A browser with WebGL by Mesa, without a display. logs: as goog:loggingPrefs has them."""
    options = Options()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist",
                     "--disable-dev-shm-usage", f"--window-size={width},{height}", "--force-device-scale-factor=1"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", **logs})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    driver.set_script_timeout(300)  # a machine with much other work may draw a single frame for half a minute
    return driver


def check(what, good, seen=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what} {seen}", flush=True)


def until(condition):
    """Waits until it is so, for a time that only a fault needs: a single frame may take half a minute."""
    end = time.time() + 240
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.03)
    return False


def end():
    print(f"{passed} checks passed, {failed} failed, in {time.time() - began:.0f} s")
    sys.exit(1 if failed else 0)
