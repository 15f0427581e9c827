import { expect, test } from 'vitest'
import { edgeOf, placeIn } from './crop.ts'

test('a large piece is made smaller, a small one stays as it is', () => {
  expect(edgeOf({ width: 3000 })).toBe(1024)
  expect(edgeOf({ width: 80.4 })).toBe(80)
  expect(edgeOf({ width: 0.2 })).toBe(1)
})

test('the preview shows the chosen part and nothing beside it', () => {
  // The right half of a picture twice as wide as high: twice the frame's width, moved one frame to the left.
  expect(placeIn({ x: 50, y: 0, width: 50, height: 100 })).toEqual({
    width: '200%',
    height: '100%',
    left: '-100%',
    top: '0%',
  })
})
