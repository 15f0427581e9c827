import { expect, test } from 'vitest'
import { categorySlug, findCategory } from './categories.ts'
import { CATEGORIES } from './constants.ts'

test('every category is found by its slug', () => {
  expect(categorySlug('Home & Garden')).toBe('home-garden')
  expect(CATEGORIES.map((name) => findCategory(categorySlug(name)))).toEqual([...CATEGORIES])
  expect(findCategory('garden')).toBeUndefined()
})
