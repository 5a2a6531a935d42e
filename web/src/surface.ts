// The procedural surfaces of lib/sim/scene/paint.cpp as a shader: grass, asphalt with markings, slabs, facades with windows, sheet metal,
// wheels with spokes. Light, shadows and fog are three's.
import { materialDefines } from "./materials";
import type { RawMarks } from "./meshes";
import { DataTexture, DoubleSide, FloatType, MeshLambertMaterial, NearestFilter, RGBAFormat } from "three";

const kPaintsPerRow = 256;
const kMarksPerRow = 256;

/** Three texels per paint: color and material; second color; base, floor height, windows. */
export function paintTexture(paints: number[][]): DataTexture {
  const rows = Math.max(1, Math.ceil(paints.length / kPaintsPerRow));
  const data = new Float32Array(4 * 3 * kPaintsPerRow * rows);
  paints.forEach(([material, r, g, b, r2, g2, b2, base, floor, windows], i) => {
    data.set([r, g, b, material, r2, g2, b2, 0, base, floor, windows, 0], 12 * i);
  });
  return floatTexture(data, 3 * kPaintsPerRow, rows);
}

/** Two texels per mark: middle and direction; width of the road, and kind. */
export function markTexture({ x, z, dx, dz, width, kind }: RawMarks): DataTexture {
  const rows = Math.max(1, Math.ceil(x.length / kMarksPerRow));
  const data = new Float32Array(4 * 2 * kMarksPerRow * rows);
  x.forEach((_, i) => data.set([x[i], z[i], dx[i], dz[i], width[i], kind[i]], 8 * i));
  return floatTexture(data, 2 * kMarksPerRow, rows);
}

function floatTexture(data: Float32Array, width: number, height: number): DataTexture {
  const texture = new DataTexture(data, width, height, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

const kVertexHead = /* glsl */ `
attribute float aPaint;
#ifdef USE_ROAD
attribute vec3 aRoad, aLane;
varying vec3 vRoad;
flat varying ivec4 vLane;
flat varying ivec2 vLines;
#endif
#ifdef USE_INSTANCING
attribute float iPaint;
#endif
uniform sampler2D uPaints;
uniform vec3 uMiddle;
flat varying vec4 vPaint0;
flat varying vec3 vPaint1, vPaint2;
varying vec3 vOwn, vOwnNormal;
`;
const kVertexBody = /* glsl */ `
{
  float number = aPaint;
  #ifdef USE_INSTANCING
  number += iPaint;
  #endif
  int i = int(number + 0.5);
  ivec2 texel = ivec2((i % ${kPaintsPerRow}) * 3, i / ${kPaintsPerRow});
  vPaint0 = texelFetch(uPaints, texel, 0);
  vPaint1 = texelFetch(uPaints, texel + ivec2(1, 0), 0).rgb;
  vPaint2 = texelFetch(uPaints, texel + ivec2(2, 0), 0).rgb;
  vOwn = position;
  vOwnNormal = normal;
  #ifdef IN_WORLD
  #ifdef USE_INSTANCING
  vOwn = (instanceMatrix * vec4(position, 1.0)).xyz;
  vOwnNormal = mat3(instanceMatrix) * normal;
  #endif
  vOwn += uMiddle;
  #endif
  #ifdef USE_ROAD
  vRoad = aRoad;
  int lanes = int(aLane.x + 0.5);
  vLane = ivec4(lanes & 63, lanes >> 6 & 1, int(aLane.y + 0.5), int(aLane.z + 0.5));
  vLines = (lanes & 128) != 0 ? ivec2(lanes >> 8 & 7, lanes >> 11 & 7) : ivec2(-1);
  #endif
}
`;
/** Roads lie a few centimeters over the ground, which depth buffers do not resolve far away: a few of their steps nearer. */
const kVertexEnd = /* glsl */ `
if (int(vPaint0.a + 0.5) == MATERIAL_ROAD || int(vPaint0.a + 0.5) == MATERIAL_JUNCTION) gl_Position.z -= 5e-7 * gl_Position.w;
`;
const kFragmentHead = /* glsl */ `
flat varying vec4 vPaint0;
flat varying vec3 vPaint1, vPaint2;
varying vec3 vOwn, vOwnNormal;
#ifdef USE_ROAD
varying vec3 vRoad; // across, along, width of the road
flat varying ivec4 vLane; // lanes, in one direction, first mark, marks
flat varying ivec2 vLines; // of a single lane, left and right: LaneLine; -1: usual ones
uniform sampler2D uMarks;
#define ROAD_PAINT screenColor(235.0, 235.0, 228.0)
#define YELLOW_PAINT screenColor(226.0, 176.0, 36.0)
#define BROKEN_WHITE 2
#define SOLID_YELLOW 3
#define DOUBLE_YELLOW 4
#endif
vec3 screenColor(float r, float g, float b) {
  vec3 x = vec3(r, g, b) / 255.0;
  return x * x * (0.8 + 0.2 * x);
}
float mixed(uint h) {
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 13;
  return float(h >> 8) / 16777216.0;
}
float cellHash(int x, int z, uint salt) { return mixed(uint(x) * 0x8da6b343u + uint(z) * 0xd8163841u + salt * 0xcb1ab31fu); }
float noise2(vec2 p, float size, uint salt) {
  vec2 u = p / size, f = floor(u), a = u - f;
  a = a * a * (3.0 - 2.0 * a);
  int i = int(f.x), j = int(f.y);
  return mix(mix(cellHash(i, j, salt), cellHash(i + 1, j, salt), a.x),
             mix(cellHash(i, j + 1, salt), cellHash(i + 1, j + 1, salt), a.x), a.y);
}
float lineShare(float x, float at, float halfWidth, float pixel) {
  float reach = max(pixel, 1e-4) / 2.0;
  return max(min(x + reach, at + halfWidth) - max(x - reach, at - halfWidth), 0.0) / (2.0 * reach);
}
float faded(float size, float pixel) { return clamp(1.5 - pixel / size, 0.0, 1.0); }
vec3 ground(vec3 p, float pixel) {
  float patches = noise2(p.xz, 23.0, 1u) * 0.6 + mix(0.5, noise2(p.xz, 5.0, 2u), faded(5.0, pixel)) * 0.4;
  vec3 base = mix(screenColor(104.0, 134.0, 66.0), screenColor(142.0, 147.0, 86.0), clamp(patches * 1.3 - 0.25, 0.0, 1.0));
  return base * (1.0 + (noise2(p.xz, 0.35, 3u) - 0.5) * 0.35 * faded(0.35, pixel) + (noise2(p.xz, 0.06, 12u) - 0.5) * 0.3 * faded(0.06, pixel));
}
vec3 asphalt(vec3 p, float pixel) {
  return screenColor(92.0, 93.0, 97.0) *
    (1.0 + (noise2(p.xz, 0.12, 4u) - 0.5) * 0.25 * faded(0.12, pixel) + (noise2(p.xz, 6.0, 5u) - 0.5) * 0.14);
}
#ifdef USE_ROAD
float marksAcross(vec3 p, float pixel, bool onlyCrossings) {
  float paint = 0.0;
  for (int i = vLane.z; i < vLane.z + vLane.w; ++i) {
    ivec2 texel = ivec2((i % ${kMarksPerRow}) * 2, i / ${kMarksPerRow});
    vec4 place = texelFetch(uMarks, texel, 0);
    vec2 kind = texelFetch(uMarks, texel + ivec2(1, 0), 0).xy, off = p.xz - place.xy;
    float along = dot(off, place.zw), right = off.x * place.w - off.y * place.z;
    float within = lineShare(right, 0.0, kind.x / 2.0 - 0.4, pixel);
    int number = int(kind.y);
    if (number == 0) {
      float white = pixel > 1.0 ? 0.5 : lineShare(right - floor(right), 0.5, 0.25, pixel);
      paint = max(paint, within * white * lineShare(along, 0.0, 1.5, pixel));
    } else if (!onlyCrossings && (number == 1 || (number == 2) == (right > 0.0))) {
      paint = max(paint, within * lineShare(along, 0.0, 0.25, pixel));
    }
  }
  return paint;
}
float dashed(float along, float pixel) {
  float period = 6.0, on = 3.0, u = mod(along, period);
  return pixel > 3.0 ? 0.5 : lineShare(u, on / 2.0, on / 2.0, pixel);
}
vec3 borderLines(vec3 color, float pixel) {
  float across = abs(vRoad.x), border = vRoad.z / 2.0;
  int kind = vRoad.x > 0.0 ? vLines.y : vLines.x;
  if (kind == 0) return color;
  if (kind == DOUBLE_YELLOW) {
    float both = lineShare(across, border - 0.09, 0.05, pixel) + lineShare(across, border - 0.27, 0.05, pixel);
    return mix(color, YELLOW_PAINT, min(both, 1.0) * 0.9);
  }
  float on = kind == BROKEN_WHITE ? dashed(vRoad.y, pixel) : 1.0;
  float paint = lineShare(across, border - 0.15, 0.05, pixel) * on;
  return mix(color, kind == SOLID_YELLOW ? YELLOW_PAINT : ROAD_PAINT, paint * 0.9);
}
vec3 junction(vec3 p, float pixel) {
  return mix(asphalt(p, pixel), ROAD_PAINT, marksAcross(p, pixel, true) * 0.9);
}
vec3 lane(vec3 p, float pixel) {
  vec3 color = asphalt(p, pixel);
  float width = abs(vRoad.z), across = abs(vRoad.x);
  if (width <= 0.0) return color;
  if (vRoad.z < 0.0) return color * screenColor(236.0, 226.0, 210.0);
  if (vLines.x >= 0) return mix(borderLines(color, pixel), ROAD_PAINT, marksAcross(p, pixel, false) * 0.9);
  float paint = lineShare(across, width / 2.0 - 0.3, 0.07, pixel);
  bool isOneWay = vLane.y == 1;
  int lanes = vLane.x > 0 ? vLane.x : width >= 5.5 && !isOneWay ? 2 : 1;
  if (lanes > 1) {
    float wide = width / float(lanes), middle = lanes % 2 == 0 ? 0.0 : 0.5 * wide;
    float border = abs(floor((across - middle) / wide + 0.5) * wide + middle);
    bool isBetween = !isOneWay && lanes > 2 && lanes % 2 == 0 && border < 0.25 * wide;
    if (border < width / 2.0 - 0.25 * wide) paint = max(paint, lineShare(across, border, 0.07, pixel) * (isBetween ? 1.0 : dashed(vRoad.y, pixel)));
  }
  paint = max(paint, marksAcross(p, pixel, false));
  return mix(color, ROAD_PAINT, paint * 0.9);
}
#endif
vec3 pavement(vec3 p, float pixel) {
  vec2 u = p.xz / 0.5, f = floor(u), d = (u - f - 0.5) * 0.5;
  float tone = (cellHash(int(f.x), int(f.y), 6u) - 0.5) * 0.14 * faded(0.5, pixel);
  float joint = max(lineShare(abs(d.x), 0.25, 0.015, pixel), lineShare(abs(d.y), 0.25, 0.015, pixel));
  return screenColor(178.0, 172.0, 160.0) * (1.0 + tone) * (1.0 - 0.35 * min(joint, 1.0) * faded(0.5, pixel));
}
vec3 facade(vec3 p, vec3 n, float pixel) {
  if (n.y > 0.3) return vPaint1 * (1.0 + (noise2(vec2(p.x + p.z, p.y * 3.0 + p.x - p.z), 0.4, 7u) - 0.5) * 0.25 * faded(0.4, pixel));
  if (n.y < -0.5) return 0.5 * vPaint0.rgb;
  vec3 wall = vPaint0.rgb * (1.0 + (noise2(vec2(p.x - p.z, p.y), 1.7, 8u) - 0.5) * 0.06);
  float along = n.z * p.x - n.x * p.z, above = p.y - vPaint2.x;
  if (above < 0.45) return 0.62 * wall;
  if (above > vPaint2.z) return wall;
  float u = along / 2.9, v = above / vPaint2.y;
  float du = (u - floor(u) - 0.5) * 2.9, dv = (v - floor(v) - 0.52) * vPaint2.y;
  float glass = lineShare(du, 0.0, 0.6, pixel) * lineShare(dv, 0.0, 0.68, pixel);
  float frame = lineShare(du, 0.0, 0.72, pixel) * lineShare(dv, 0.0, 0.8, pixel);
  float lit = cellHash(int(floor(u)), int(floor(v)), 9u);
  vec3 pane = mix(screenColor(62.0, 78.0, 96.0), screenColor(150.0, 172.0, 190.0), lit * 0.5);
  vec3 white = screenColor(232.0, 230.0, 224.0);
  return mix(mix(wall, white, frame), mix(pane, white, lineShare(du, 0.0, 0.04, pixel)), glass);
}
vec3 vehicle(vec3 p, vec3 n) {
  if (p.y > vPaint2.x && n.y < 0.85) return vPaint1;
  if (abs(n.z) > 0.9 && p.y > vPaint2.x - vPaint2.y * 0.45 && p.y < vPaint2.x - vPaint2.y * 0.1 && abs(p.x) > vPaint2.y)
    return n.z > 0.0 ? screenColor(250.0, 246.0, 225.0) : screenColor(190.0, 22.0, 20.0);
  if (p.y < vPaint2.x - vPaint2.y * 0.85) return screenColor(38.0, 38.0, 40.0);
  return vPaint0.rgb;
}
vec3 wheel(vec3 p, vec3 n) {
  if (abs(n.x) < 0.5) return vPaint0.rgb;
  float r2 = dot(p.yz, p.yz) / (vPaint2.x * vPaint2.x);
  if (r2 > 0.46) return vPaint0.rgb;
  if (r2 < 0.03) return 0.6 * vPaint1;
  float c = p.z / length(p.yz), c2 = c * c, five = c * (16.0 * c2 * c2 - 20.0 * c2 + 5.0);
  return five > -0.2 || r2 > 0.4 ? vPaint1 : 0.3 * vPaint1;
}
vec3 surfaceColor() {
  vec3 p = vOwn, n = normalize(vOwnNormal);
  float pixel = max(length(dFdx(p)), length(dFdy(p)));
  int material = int(vPaint0.a + 0.5);
  if (material == MATERIAL_GROUND) return ground(p, pixel);
  #ifdef USE_ROAD
  if (material == MATERIAL_ROAD) return lane(p, pixel);
  if (material == MATERIAL_JUNCTION) return junction(p, pixel);
  #endif
  if (material == MATERIAL_ROAD || material == MATERIAL_JUNCTION) return asphalt(p, pixel);
  if (material == MATERIAL_PAVEMENT) return pavement(p, pixel);
  if (material == MATERIAL_CURB) return screenColor(206.0, 202.0, 194.0) * (1.0 + (noise2(vec2(p.x + p.z, p.x - p.z), 1.0, 10u) - 0.5) * 0.1);
  if (material == MATERIAL_BUILDING || material == MATERIAL_HOUSE) return facade(p, n, pixel);
  if (material == MATERIAL_TREE) {
    float f = faded(0.5, pixel);
    return vPaint0.rgb * (0.75 + 0.5 * (noise2(vec2(p.x + p.z * 0.7, p.y + p.z), 0.5, 11u) * f + 0.5 * (1.0 - f)));
  }
  if (material == MATERIAL_VEHICLE) return vehicle(p, n);
  if (material == MATERIAL_WHEEL) return wheel(p, n);
  return vPaint0.rgb;
}
`;

/** Sheet metal and glass mirror a share of the sky, more at grazing angles (Schlick 1994). */
const kGloss = /* glsl */ `
if (int(vPaint0.a + 0.5) == MATERIAL_VEHICLE) {
  vec3 toEye = normalize(vViewPosition);
  float fresnel = 0.05 + 0.45 * pow(1.0 - abs(dot(toEye, normal)), 4.0);
  vec3 away = reflect(-toEye, normal);
  float up = 0.5 + 0.5 * dot(away, normalize(mat3(viewMatrix) * vec3(0.0, 1.0, 0.0)));
  outgoingLight = mix(outgoingLight, mix(vec3(0.2, 0.21, 0.2), vec3(0.72, 0.82, 0.95), smoothstep(0.42, 0.62, up)), fresnel);
}
`;

export interface SurfaceUse {
  inWorld: boolean; // positions of the texture are the world's, not the body's own
  marks?: DataTexture; // of roads, for geometries with data of lanes
}

/** @param middle  of the scene: what positions are relative to */
export function surfaceMaterial(paints: DataTexture, middle: { x: number; y: number; z: number }, use: SurfaceUse): MeshLambertMaterial {
  // Models of some formats are inside out.
  const material = new MeshLambertMaterial({ side: DoubleSide });
  material.defines = { ...materialDefines(), ...(use.inWorld ? { IN_WORLD: "" } : {}), ...(use.marks ? { USE_ROAD: "" } : {}) };
  material.onBeforeCompile = (shader) => {
    shader.uniforms.uPaints = { value: paints };
    shader.uniforms.uMiddle = { value: middle };
    if (use.marks) shader.uniforms.uMarks = { value: use.marks };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${kVertexHead}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>\n${kVertexBody}`)
      .replace("#include <project_vertex>", `#include <project_vertex>\n${kVertexEnd}`);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${kFragmentHead}`)
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb = surfaceColor();")
      .replace("#include <opaque_fragment>", `${kGloss}\n#include <opaque_fragment>`);
  };
  material.customProgramCacheKey = () => `surface ${use.inWorld} ${use.marks !== undefined}`;
  return material;
}
