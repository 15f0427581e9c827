import { expect, test } from 'vitest'
import { getEdgePx, placeAreaInFrame } from './crop.ts'

test('a large area is scaled down, a small one keeps its size', () => {
  expect(getEdgePx({ width: 3000 })).toBe(1024)
  expect(getEdgePx({ width: 80.4 })).toBe(80)
  expect(getEdgePx({ width: 0.2 })).toBe(1)
})

test('the preview shows only the chosen area', () => {
  // The right half of the image: twice the width of the frame, moved left by one frame.
  expect(placeAreaInFrame({ x: 50, y: 0, width: 50, height: 100 })).toEqual({
    width: '200%',
    height: '100%',
    left: '-100%',
    top: '0%',
  })
})
