import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry, type Vector3 } from "three";

/** The sky: blue above, haze at the horizon, a sun. */
export function skyDome(sun: Vector3): Mesh<SphereGeometry, ShaderMaterial> {
  const dome = new Mesh(
    new SphereGeometry(5500, 32, 16),
    new ShaderMaterial({
      side: BackSide,
      depthWrite: false,
      uniforms: {
        uTop: { value: new Color() },
        uHorizon: { value: new Color() },
        uSun: { value: sun },
        uSunLight: { value: 1 },
      },
      vertexShader: `varying vec3 vAt; void main() { vAt = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `varying vec3 vAt; uniform vec3 uTop, uHorizon, uSun; uniform float uSunLight;
        void main() { vec3 d = normalize(vAt); float up = clamp(d.y, 0.0, 1.0);
        vec3 c = mix(uTop, uHorizon, pow(1.0 - up, 4.0)); float s = max(dot(d, uSun), 0.0);
        c += uSunLight * vec3(1.0, 0.93, 0.78) * (smoothstep(0.9993, 0.9997, s) + 0.25 * pow(s, 60.0));
        gl_FragColor = vec4(c, 1.0);
        #include <colorspace_fragment>
        }`,
    }),
  );
  dome.frustumCulled = false;
  dome.renderOrder = -2;
  return dome;
}
