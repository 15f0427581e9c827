import { expect, test } from 'vitest'
import { follow, type Trail } from './navigation-history.ts'

test('a push goes one further, and going back takes it away again', () => {
  const home: Trail = ['/']
  const item = follow(home, 'push', '/item/7')
  expect(item).toEqual(['/', '/item/7'])
  expect(follow(item, 'travel', '/')).toEqual(['/'])
})

test('a replace stays where it is', () => {
  expect(follow(['/', '/auth'], 'replace', '/post')).toEqual(['/', '/post'])
})

test('going forward again counts as a step', () => {
  expect(follow(['/'], 'travel', '/item/7')).toEqual(['/', '/item/7'])
})
