import { expect, test } from 'vitest'
import { readFilter } from './desk-filter.ts'

const read = (query: string) => readFilter(new URLSearchParams(query))

test('search, status and page are read from the address', () => {
  expect(read('search=lamp&status=under_review&page=3')).toEqual({
    search: 'lamp',
    status: 'under_review',
    page: 3,
  })
})

test('what the address does not say, or says wrongly, is the whole list from its beginning', () => {
  const whole = { search: '', status: undefined, page: 1 }
  expect(read('')).toEqual(whole)
  expect(read('status=completed&page=-2')).toEqual(whole)
  expect(read('status=&page=1.5')).toEqual(whole)
})
