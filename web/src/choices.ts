// What the controls offer: rates of play, layers of the view, keys.
import type { Head } from "./data";
import { byId, element } from "./format";
import { kCameraModes } from "./stage";
import type { Layer } from "./world";

export const kRates = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32];
/** Speeds of a live run, multiples of real time; 0: as fast as possible. */
export const kLiveRates = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 0];
/** Layer, text of its button, hint, shown at first. */
export const kLayers: [Layer, string, string, boolean][] = [
  ["models", "Models", "Models of bodies (M)", true],
  ["shapes", "Physics", "The physics' shapes (P)", false],
  ["rays", "Rays", "Rays of laser scanners and distance sensors (R)", true],
  ["lights", "Lights", "Lights (L)", true],
  ["forces", "Forces", "Suspension forces and contacts (O)", false],
  ["paths", "Paths", "Paths over the whole run (H)", true],
];
export const kKeys: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "a row back or on; with Shift a second"],
  ["Home End", "to the start or the end"],
  ["[ ]", "slower or faster"],
  ["1 … 5", "camera: orbit, follow, chase, fly, map"],
  ["6", "the next camera of a robot"],
  ["F", "look at the selected node"],
  ["W A S D Q E", "fly (Shift: faster)"],
  ["M P R L O H", "models, physics, rays, lights, forces, paths"],
  ["N", "day or night"],
  ["/", "search the tree"],
  ["T", "dark or light"],
  ["Esc", "nothing selected"],
];

/** The cameras to choose from: modes, and those of robots. @param set  what a choice does; "camera:NAME" is a robot's */
export function fillCameras(cameras: { name: string }[], set: (mode: string) => void): void {
  byId("camera-modes").replaceChildren(
    ...kCameraModes.map((mode, i) => {
      const label = mode[0].toUpperCase() + mode.slice(1);
      const button = element("button", { "data-camera": mode, title: `${label} (${i + 1})` }, label);
      button.addEventListener("click", () => set(mode));
      return button;
    }),
  );
  const select = byId<HTMLSelectElement>("camera-robot");
  select.hidden = cameras.length === 0;
  select.replaceChildren(
    element("option", { value: "" }, "Robot camera"),
    ...cameras.map((camera) => element("option", { value: camera.name }, camera.name)),
  );
  select.addEventListener("change", () => set(select.value ? `camera:${select.value}` : "orbit"));
}

/** Buttons of the layers. @param toggle  what a press does */
export function fillLayers(toggle: (layer: Layer) => void): void {
  byId("layers").append(
    ...kLayers.map(([layer, text, hint, on]) => {
      const button = element("button", { title: hint, "aria-pressed": String(on), "data-layer": layer }, text);
      button.addEventListener("click", () => toggle(layer));
      return button;
    }),
  );
}

export function fillKeys(): void {
  byId("key-list").replaceChildren(
    ...kKeys.flatMap(([keys, text]) => [
      element("dt", {}, ...keys.split(" ").map((key) => (key === "…" ? "…" : element("kbd", {}, key)))),
      element("dd", {}, text),
    ]),
  );
}

/** The mode of a robot's camera after another mode; without such cameras, "orbit". */
export function nextCamera(head: Head, mode: string): string {
  const names = (head.world?.cameras ?? []).map((camera) => `camera:${camera.name}`);
  return names.length ? names[(names.indexOf(mode) + 1) % names.length] : "orbit";
}
