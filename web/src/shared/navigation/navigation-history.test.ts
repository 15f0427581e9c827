import { expect, test } from 'vitest'
import { addNavigation, type NavigationHistory } from './navigation-history.ts'

test('a push adds a page, and going back removes it', () => {
  const home: NavigationHistory = ['/']
  const item = addNavigation(home, 'push', '/item/7')
  expect(item).toEqual(['/', '/item/7'])
  expect(addNavigation(item, 'traverse', '/')).toEqual(['/'])
})

test('a replace changes the current page', () => {
  expect(addNavigation(['/', '/auth'], 'replace', '/post')).toEqual(['/', '/post'])
})

test('going forward adds a page', () => {
  expect(addNavigation(['/'], 'traverse', '/item/7')).toEqual(['/', '/item/7'])
})
