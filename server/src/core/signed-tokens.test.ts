import { createHmac, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeys } from './keys.ts'
import { createSignedId, readSignedId, sessionKeyId } from './signed-tokens.ts'

const CONTEXT = 'sought/ticket/v1'
const [OLD, NEW] = ['the first secret', 'the second secret']

test('the first key signs, and the tokens of all are accepted', () => {
  const token = createSignedId(7, CONTEXT, createKeys([NEW, OLD]))
  expect(token.split('.')).toEqual(['7', expect.stringMatching(/^[\w-]{43}$/), sessionKeyId(NEW)])
  expect(readSignedId(token, CONTEXT, createKeys([NEW]))).toBe(7)
  expect(readSignedId(token, CONTEXT, createKeys([OLD]))).toBe(null)
  const former = createSignedId(7, CONTEXT, createKeys([OLD]))
  expect(readSignedId(former, CONTEXT, createKeys([NEW, OLD]))).toBe(7)
  expect(readSignedId(former, 'sought/undo-email/v1', createKeys([NEW, OLD]))).toBe(null)
})

test('tokens without the id of a key are accepted', () => {
  const key = Buffer.from(hkdfSync('sha256', OLD, '', CONTEXT, 32))
  const token = `7.${createHmac('sha256', key).update('7').digest('base64url')}`
  expect(createSignedId(7, CONTEXT, createKeys([OLD]))).toBe(token)
  expect(readSignedId(token, CONTEXT, createKeys([NEW, OLD]))).toBe(7)
  expect(readSignedId(token.replace('7.', '8.'), CONTEXT, createKeys([NEW, OLD]))).toBe(null)
})
