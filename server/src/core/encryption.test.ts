import { createDecipheriv, scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEncryption, Unreadable } from './encryption.ts'

const { seal, open } = createEncryption('a secret of the test')
const text = '{"iban":"DE89370400440532013000","name":"Ada Łucja 🏦"}'

describe('encryption', () => {
  test('returns the original text after decryption, also in another process', async () => {
    const sealed = await seal(text, 'ada')
    expect(await open(sealed, 'ada')).toBe(text)
    expect(await createEncryption('a secret of the test').open(sealed, 'ada')).toBe(text)
    expect(await open(await seal('', 'ada'), 'ada')).toBe('')
  })

  test('uses AES-256-GCM with a key derived by scrypt, a format that must stay readable', async () => {
    const stored = 'v1:mVOUqyEW_wBUcj7z2T9DESBIG3grn25Tkr7WgHeRBhLGEQIJFyyGE4ynL7UHWPnUg4eePKGLws4'
    const sealed = await seal(text, 'ada')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    const key = scryptSync('a secret of the test', 'sought/data-key/v1', 32)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from('v1:ada')).setAuthTag(bytes.subarray(12, 28))
    expect(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')).toBe(text)
    expect(await open(stored, 'ada')).toBe('written by the first version')
  })

  test('reveals nothing of the text and produces a different result every time', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => seal(text, 'ada')))
    expect(new Set(all).size).toBe(100)
    expect(new Set(all.map((sealed) => sealed.slice(0, 19))).size).toBe(100)
    for (const sealed of all) {
      expect(sealed).toMatch(/^v1:[\w-]+$/)
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      // Shorter parts occur in random bytes by chance.
      expect(['"iban"', 'DE8937', 'Łucja'].filter((part) => bytes.includes(part))).toEqual([])
    }
  })
})

describe('decryption fails', () => {
  test('for another secret, another owner or another version', async () => {
    const sealed = await seal(text, 'ada')
    await expect(createEncryption('another secret').open(sealed, 'ada')).rejects.toThrow(Unreadable)
    await expect(open(sealed, 'bob')).rejects.toThrow(Unreadable)
    await expect(open(sealed.replace('v1:', 'v2:'), 'ada')).rejects.toThrow(Unreadable)
    await expect(open(sealed, 'ada')).resolves.toBe(text)
  })

  test('for a change of any single byte', async () => {
    const sealed = await seal(text, 'ada')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(open(`v1:${changed.toString('base64url')}`, 'ada'), `byte ${at}`).rejects.toThrow(
        Unreadable,
      )
    }
  })

  test.each([
    '',
    'v1:',
    'v1',
    ':',
    'plain text',
    '{"iban":"DE89370400440532013000"}',
    `v1:${'A'.repeat(37)}`,
  ])('for text that was never encrypted: %j', async (sealed) => {
    await expect(open(sealed, 'ada')).rejects.toThrow(Unreadable)
  })

  test('for a truncated text', async () => {
    const sealed = await seal(text, 'ada')
    for (const kept of [sealed.length - 1, sealed.length - 4, 60, 30, 10]) {
      await expect(open(sealed.slice(0, kept), 'ada'), String(kept)).rejects.toThrow(Unreadable)
    }
  })

  test('with an error that names the variable to check', async () => {
    const sealed = await seal(text, 'ada')
    await expect(createEncryption('another secret').open(sealed, 'ada')).rejects.toThrow(/DATA_KEY/)
  })
})
