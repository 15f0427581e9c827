import { expect, test } from 'vitest'
import { categorySlug, findCategory } from './categories.ts'
import { CATEGORIES } from './constants.ts'

test('a category has its own address', () => {
  expect(categorySlug('Home & Garden')).toBe('home-garden')
  expect(CATEGORIES.map((name) => findCategory(CATEGORIES, categorySlug(name)))).toEqual([...CATEGORIES])
  expect(findCategory(CATEGORIES, 'garden')).toBeUndefined()
})

test('a category name in any language gets an address', () => {
  expect(categorySlug('Électronique (neuf)')).toBe('électronique-neuf')
  expect(categorySlug('电子产品')).toBe('电子产品')
})
