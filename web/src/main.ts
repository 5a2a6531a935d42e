// The page that simrun replay fills with a run, and that simrun serve sends.
import { readHead, readLive } from "./data";
import { fail } from "./header";
import { LivePage } from "./live_page";
import { Page } from "./page";

try {
  const live = readLive();
  const page = live ? new LivePage(readHead(), live) : new Page(readHead(), null);
  Object.assign(window, {
    simbatch: { state: () => page.state(), pose: (name: string) => page.poseOf(name), place: (name: string) => page.placeOf(name) },
  });
  page.load().catch(fail);
} catch (error) {
  fail(error);
}
