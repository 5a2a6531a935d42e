// What the keys do.
import { byId } from "./format";
import type { Layer } from "./world";

export interface KeyActions {
  toggleLayer(layer: Layer): void;
  /** 1 to 5: a mode; 6: the next camera of a robot. */
  camera(number: number): void;
  togglePlaying(): void;
  seekBy(seconds: number): void;
  step(rows: number): void;
  start(): void;
  end(): void;
  /** To the next rate of play; -1: the one before. */
  faster(by: number): void;
  focus(): void;
  night(): void;
  theme(): void;
  unselect(): void;
}

const kLayerKeys: Record<string, Layer> = { KeyM: "models", KeyP: "shapes", KeyR: "rays", KeyL: "lights", KeyO: "forces", KeyH: "paths" };

/** @return false if the key means nothing here: the browser may have it */
export function pressed(event: KeyboardEvent, at: HTMLElement, page: KeyActions): boolean {
  const layer = kLayerKeys[event.code];
  const digit = /^Digit([1-6])$/.exec(event.code);
  if (layer) page.toggleLayer(layer);
  else if (digit) page.camera(Number(digit[1]));
  else if (event.key === " " && at instanceof HTMLButtonElement) return false;
  else if (event.key === " ") page.togglePlaying();
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const sign = event.key === "ArrowLeft" ? -1 : 1;
    if (event.shiftKey) page.seekBy(sign);
    else page.step(sign);
  } else if (event.key === "Home") page.start();
  else if (event.key === "End") page.end();
  else if (event.key === "[") page.faster(-1);
  else if (event.key === "]") page.faster(1);
  else if (event.key === "/") byId("search").focus();
  else if (event.key === "?") byId<HTMLDialogElement>("keys").showModal();
  else if (event.key === "f") page.focus();
  else if (event.key === "n") page.night();
  else if (event.key === "t") page.theme();
  else if (event.key === "Escape") page.unselect();
  else return false;
  return true;
}
