/*
 * The accent colour of a market. The operator can choose any colour. Its hue is kept, but its lightness is changed
 * until it is readable in both themes: as text on every surface, and behind the text of buttons.
 */

/** The element of the page that contains the market's own accent, if there is one. */
export const ACCENT_STYLE_ID = 'accent-style'

/** The default accent: the green of the design. Static files contain a copy. */
export const STANDARD_ACCENT = {
  light: { accent: '#0d4b34', deep: '#043825', ink: '#fafbf2', wash: '#dee9d9' },
  dark: { accent: '#97c9a0', deep: '#b1ddb6', ink: '#102317', wash: '#2d3a2a' },
} as const

/** WCAG AA for texts of any size. */
const CONTRAST_MIN = 4.5
const LIGHTNESS_STEP = 0.005

interface Colour {
  lightness: number
  chroma: number
  hue: number
}

/**
 * For each theme, the surface (tokens.css) with the lowest contrast to the accent, and the lightness steps of the
 * variants.
 */
const themes = {
  light: {
    surface: '#e9e3d6',
    step: -LIGHTNESS_STEP,
    deeper: -0.066,
    wash: [0.921, 0.024],
    ink: [0.985, 0.012],
  },
  dark: {
    surface: '#3c3125',
    step: LIGHTNESS_STEP,
    deeper: 0.065,
    wash: [0.332, 0.032],
    ink: [0.235, 0.035],
  },
} as const

export interface AccentColours {
  accent: string
  /** A stronger variant for hovered elements. */
  deep: string
  /** The colour of texts on the accent. */
  ink: string
  /** A surface with a hint of the accent. */
  wash: string
}

/** The colours of a market. If `chosen` is null, the market uses the default accent. */
export function accentColours(chosen: string | null, theme: keyof typeof themes): AccentColours {
  if (chosen === null) return STANDARD_ACCENT[theme]
  const { surface, step, deeper, wash, ink } = themes[theme]
  const base = parseColour(chosen)
  const tinted = ([lightness, chroma]: readonly [number, number]) =>
    toHex({ lightness, chroma: Math.min(chroma, base.chroma), hue: base.hue })
  const colours = { ink: tinted(ink), wash: tinted(wash) }
  const isReadable = (hex: string) =>
    [surface, colours.wash, colours.ink].every((other) => contrast(hex, other) >= CONTRAST_MIN)
  const withLightness = (lightness: number) =>
    toHex({ ...base, lightness: Math.min(Math.max(lightness, 0), 1) })
  let { lightness } = base
  // The loop always ends, because black and white are readable on every surface.
  while (!isReadable(withLightness(lightness))) lightness += step
  return { ...colours, accent: withLightness(lightness), deep: withLightness(lightness + deeper) }
}

/** The CSS variables of tokens.css with their values. */
export function accentVariables(chosen: string | null): Record<string, string> {
  const [light, dark] = [accentColours(chosen, 'light'), accentColours(chosen, 'dark')]
  return {
    '--color-accent': `light-dark(${light.accent}, ${dark.accent})`,
    '--color-accent-deep': `light-dark(${light.deep}, ${dark.deep})`,
    '--color-accent-ink': `light-dark(${light.ink}, ${dark.ink})`,
    '--color-accent-wash': `light-dark(${light.wash}, ${dark.wash})`,
  }
}

/** A style sheet that overrides tokens.css. It does so because tokens.css is in a layer, and this sheet is not. */
export const accentStyle = (chosen: string): string =>
  `:root{${Object.entries(accentVariables(chosen))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`

/** The contrast ratio of WCAG 2, between 1 and 21. */
export function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

type Triple = [number, number, number]

const linearParts = (hex: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Triple

function luminance(hex: string): number {
  const [red, green, blue] = linearParts(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const times = (matrix: readonly Triple[], [a, b, c]: Triple) =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as Triple

/* The matrices of Oklab: https://bottosson.github.io/posts/oklab/ */
const RGB_TO_LMS: Triple[] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const LMS_TO_LAB: Triple[] = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const LAB_TO_LMS: Triple[] = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
]
const LMS_TO_RGB: Triple[] = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
]

function parseColour(hex: string): Colour {
  const [lightness, a, b] = times(LMS_TO_LAB, times(RGB_TO_LMS, linearParts(hex)).map(Math.cbrt) as Triple)
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

/** Reduces the chroma until screens can show the colour. */
function toHex({ lightness, chroma, hue }: Colour): string {
  const lab: Triple = [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const rgb = times(LMS_TO_RGB, times(LAB_TO_LMS, lab).map((part) => part ** 3) as Triple)
  const isShown = rgb.every((part) => part > -0.0005 && part < 1.0005)
  if (!isShown && chroma > 0.001) return toHex({ lightness, chroma: chroma * 0.97, hue })
  return `#${rgb.map(encodePart).join('')}`
}

function encodePart(linear: number): string {
  const part = Math.min(Math.max(linear, 0), 1)
  const encoded = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0')
}
