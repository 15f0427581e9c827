import { expect, test } from 'vitest'
import { parseFilter } from './desk-filter.ts'

const parse = (query: string) => parseFilter(new URLSearchParams(query))

test('search, status and page are read from the URL', () => {
  expect(parse('search=lamp&status=under_review&sort=due&page=3')).toEqual({
    search: 'lamp',
    status: 'under_review',
    sort: 'due',
    page: 3,
  })
})

test('missing and invalid parameters show the first page of the unfiltered list', () => {
  const unfiltered = { search: '', status: undefined, sort: 'newest', page: 1 }
  expect(parse('')).toEqual(unfiltered)
  expect(parse('status=completed&sort=amount&page=-2')).toEqual(unfiltered)
  expect(parse('status=&page=1.5')).toEqual(unfiltered)
})
