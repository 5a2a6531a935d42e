// Whether the browser can draw in 3D, and on what.

/** Null without WebGL 2. `software`: no graphics card; "quality=high" in the address takes it for one. */
export function probeRenderer(): { software: boolean } | null {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return null;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  const wanted = new URLSearchParams(location.hash.slice(1)).get("quality");
  return { software: wanted !== "high" && /swiftshader|llvmpipe|software|basic render/i.test(name) };
}
