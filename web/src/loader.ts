// The only script that a page has as text: it unpacks the program of the page, and runs it.
import { kTooOld, unpacked } from "./unpack";

function failed(text: string): void {
  const notice = document.getElementById("notice");
  if (notice) {
    notice.hidden = false;
    notice.textContent = text;
  }
  document.body.dataset.failed = text;
}

const code = document.getElementById("code");
if (typeof DecompressionStream === "undefined") {
  failed(kTooOld);
} else {
  unpacked(code?.textContent ?? "")
    .then((bytes) => {
      const script = document.createElement("script");
      script.textContent = new TextDecoder().decode(bytes);
      code?.remove();
      document.body.append(script);
    })
    .catch(() => failed("This page is damaged: its program cannot be unpacked."));
}
