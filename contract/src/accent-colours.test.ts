import { expect, test } from 'vitest'
import { accentColours, accentStyle, contrast } from './accent-colours.ts'

test('in both themes, every accent colour is readable on all surfaces, and so is the text on it', () => {
  // The surfaces of tokens.css: ground, paper, sunken and floor.
  const surfaces = {
    light: ['#f3eee3', '#fefcf7', '#e9e3d6', '#e9e3d6'],
    dark: ['#211a12', '#2e241a', '#3c3125', '#19120c'],
  }
  const parts = ['00', '33', '66', '99', 'cc', 'ff']
  const chosen = parts.flatMap((red) =>
    parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)),
  )
  for (const theme of ['light', 'dark'] as const) {
    for (const colour of chosen) {
      const { accent, deep, ink, wash } = accentColours(colour, theme)
      const others = [...surfaces[theme], wash, ink]
      const lowest = Math.min(...[accent, deep].flatMap((it) => others.map((other) => contrast(it, other))))
      expect(lowest, `${colour} ${theme}`).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('a readable colour is not changed; other colours keep their hue', () => {
  expect(accentColours('#1f5c43', 'light').accent).toBe('#1f5c43')
  expect(accentColours('#ffcc00', 'dark').accent).toBe('#ffcc00')
  expect(accentColours('#ff0000', 'light').accent).toMatch(/^#c[0-9a-f]0/)
})

test('the contrast ratio is calculated as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('the style sheet has the colours of both themes', () => {
  expect(accentStyle('#1f5c43')).toMatch(/^:root\{--color-accent:light-dark\(#1f5c43, #[0-9a-f]{6}\);/)
})
