import { expect, test } from 'vitest'
import { formatInGroups, regroup, removeSeparators } from './grouped-text.ts'

const inFours = (text: string) => formatInGroups(text, 4)
const edit = { before: '', isBackspace: false }

test('the last group size is repeated', () => {
  expect(formatInGroups('4242424242424242', 4)).toBe('4242 4242 4242 4242')
  expect(formatInGroups('378282246310005', 4, 6, 5)).toBe('3782 822463 10005')
  expect(formatInGroups('', 4)).toBe('')
})

test('typed and pasted text is grouped, with any separators', () => {
  expect(regroup({ ...edit, after: '42424', caret: 5 }, inFours)).toEqual({ text: '4242 4', caret: 6 })
  expect(regroup({ ...edit, after: '4242-4242', caret: 9 }, inFours)).toEqual({ text: '4242 4242', caret: 9 })
  expect(removeSeparators('DE89 3704-0044')).toBe('DE8937040044')
})

test('the caret is placed after an inserted character', () => {
  const after = '42942 4'
  expect(regroup({ before: '4242 4', after, caret: 3, isBackspace: false }, inFours)).toEqual({
    text: '4294 24',
    caret: 3,
  })
})

test('backspace over a space deletes the character before it', () => {
  expect(regroup({ before: '4242 4', after: '42424', caret: 4, isBackspace: true }, inFours)).toEqual({
    text: '4244',
    caret: 3,
  })
})

test('backspace after a character deletes only that character', () => {
  expect(regroup({ before: '4242 4', after: '4242 ', caret: 5, isBackspace: true }, inFours)).toEqual({
    text: '4242',
    caret: 4,
  })
  expect(regroup({ before: '4242', after: '242', caret: 0, isBackspace: true }, inFours)).toEqual({
    text: '242',
    caret: 0,
  })
})
