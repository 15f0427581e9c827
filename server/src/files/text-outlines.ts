import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'

/*
 * Draws text as outlines of bundled fonts, so that a picture looks the same on every machine and its SVG contains
 * no user text (ADR 69).
 */

const SUBSETS = ['latin', 'latin-ext', 'vietnamese'] as const
const FACES = {
  display: { family: 'newsreader', weight: 600 },
  plain: { family: 'hanken-grotesk', weight: 500 },
} as const

export type Face = keyof typeof FACES

const resolve = createRequire(import.meta.url).resolve
const loaded = new Map<Face, Font[]>()

function fontsOf(face: Face): Font[] {
  const { family, weight } = FACES[face]
  const fonts =
    loaded.get(face) ??
    SUBSETS.map(
      (subset) =>
        openSync(resolve(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`)) as Font,
    )
  loaded.set(face, fonts)
  return fonts
}

/** Leaves out characters that no font has, such as emoji. Null if too little would remain to make sense. */
export function keepDrawable(text: string, face: Face): string | null {
  const fonts = fontsOf(face)
  const characters = [...text.normalize('NFC').replace(/\s+/g, ' ').trim()]
  const kept = characters.filter((character) => fontFor(character, fonts))
  const letters = (all: string[]) => all.filter((character) => /[\p{L}\p{N}]/u.test(character)).length
  if (letters(kept) === 0 || letters(kept) < letters(characters)) return null
  return kept.join('').replace(/ +/g, ' ').trim()
}

function fontFor(character: string, fonts: Font[]): Font | undefined {
  return fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
}

export interface TextStyle {
  face: Face
  sizePixels: number
}

/** Ignores kerning, which needs the font's tables and would make a line only slightly narrower. */
export function measureText(text: string, { face, sizePixels }: TextStyle): number {
  const fonts = fontsOf(face)
  let width = 0
  for (const character of text) {
    const font = fontFor(character, fonts)
    if (font) width += font.glyphForCodePoint(character.codePointAt(0) ?? 0).advanceWidth / font.unitsPerEm
  }
  return width * sizePixels
}

/** SVG elements for one line whose baseline starts at x and y. */
export function outlineText(text: string, style: TextStyle, x: number, y: number): string {
  let at = x
  const drawn = runsOf(text, style).map(({ paths, scale, widthPixels }) => {
    const group = `<g transform="translate(${round(at)} ${y}) scale(${scale} ${-scale})">${paths}</g>`
    at += widthPixels
    return group
  })
  return drawn.join('')
}

/** Runs of characters of the same font. */
function runsOf(text: string, { face, sizePixels }: TextStyle) {
  const fonts = fontsOf(face)
  const runs: { font: Font; text: string }[] = []
  for (const character of text) {
    const font = fontFor(character, fonts)
    if (!font) continue
    const last = runs.at(-1)
    if (last?.font === font) last.text += character
    else runs.push({ font, text: character })
  }
  return runs.map(({ font, text }) => {
    const { glyphs, positions, advanceWidth } = font.layout(text)
    const scale = sizePixels / font.unitsPerEm
    let advance = 0
    const paths = glyphs.map((glyph, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const path = `<path transform="translate(${advance + xOffset} ${yOffset})" d="${glyph.path.toSVG()}"/>`
      advance += xAdvance
      return path
    })
    return { paths: paths.join(''), scale, widthPixels: advanceWidth * scale }
  })
}

const round = (value: number) => Math.round(value * 100) / 100

/** Breaks a text into at most `linesMax` lines. Null if it needs more. */
export function breakLines(text: string, style: TextStyle, widthPixels: number, linesMax: number) {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const joined = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && measureText(joined, style) <= widthPixels) lines[lines.length - 1] = joined
    else if (lines.length === linesMax || measureText(word, style) > widthPixels) return null
    else lines.push(word)
  }
  return lines
}

/** Shortens a text that is too wide, and ends it with an ellipsis. */
export function shortenTo(text: string, style: TextStyle, widthPixels: number): string {
  if (measureText(text, style) <= widthPixels) return text
  const characters = [...text]
  while (characters.length > 0 && measureText(`${characters.join('').trimEnd()}…`, style) > widthPixels)
    characters.pop()
  return `${characters.join('').trimEnd()}…`
}

/** Fills `linesMax` lines, breaking long words too, and ends the last one with an ellipsis. */
export function cutLines(text: string, style: TextStyle, widthPixels: number, linesMax: number): string[] {
  const lines: string[] = []
  let rest = [...text]
  while (rest.length > 0 && lines.length < linesMax - 1) {
    let end = rest.length
    while (measureText(rest.slice(0, end).join(''), style) > widthPixels) end--
    const space = end < rest.length ? rest.slice(0, end + 1).lastIndexOf(' ') : -1
    const cut = space > 0 ? space : end
    lines.push(rest.slice(0, cut).join('').trim())
    rest = [...rest.slice(cut).join('').trim()]
  }
  return rest.length > 0 ? [...lines, shortenTo(rest.join(''), style, widthPixels)] : lines
}
