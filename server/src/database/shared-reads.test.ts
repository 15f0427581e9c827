import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { shareRead } from './shared-reads.ts'

/** Reads that the test finishes by hand. */
function openReads(waitMaxMs?: number) {
  const pool = new pg.Pool()
  const begun: PromiseWithResolvers<string>[] = []
  const ask = (key = 'home') =>
    shareRead(
      pool,
      key,
      () => {
        const read = Promise.withResolvers<string>()
        begun.push(read)
        return read.promise
      },
      waitMaxMs,
    )
  return { begun, ask }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('callers during a read share the next read, not the running one', async () => {
  const { begun, ask } = openReads()
  const first = ask()
  const [second, third] = [ask(), ask()]
  expect(begun).toHaveLength(1)

  begun[0]?.resolve('before they came')
  expect(await first).toBe('before they came')
  await turn()
  expect(begun).toHaveLength(2)
  const fourth = ask()
  begun[1]?.resolve('after they came')
  expect(await Promise.all([second, third])).toEqual(['after they came', 'after they came'])
  await turn()
  begun[2]?.resolve('last')
  expect(await fourth).toBe('last')
  expect(begun).toHaveLength(3)
})

test('a caller starts a read if none is running, and each key has its own queue', async () => {
  const { begun, ask } = openReads()
  const first = ask()
  begun[0]?.resolve('one')
  await first
  await turn()
  const [again, other] = [ask(), ask('other')]
  expect(begun).toHaveLength(3)
  begun[1]?.resolve('two')
  begun[2]?.resolve('three')
  expect(await Promise.all([again, other])).toEqual(['two', 'three'])
})

test('a failed read fails for all callers that share it, and the next read still runs', async () => {
  const { begun, ask } = openReads()
  const first = ask()
  const [second, third] = [ask(), ask()]
  begun[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  begun[1]?.reject(new Error('lost again'))
  await expect(second).rejects.toThrow('lost again')
  await expect(third).rejects.toThrow('lost again')
  await turn()
  const fourth = ask()
  begun[2]?.resolve('back')
  expect(await fourth).toBe('back')
})

test('a read does not wait long for one that gets no answer', async () => {
  const { begun, ask } = openReads(20)
  const [stuck, second, third] = [ask(), ask(), ask()]
  await vi.waitFor(() => expect(begun).toHaveLength(2))
  begun[1]?.resolve('on another connection')
  expect(await Promise.all([second, third])).toEqual(['on another connection', 'on another connection'])
  const fourth = ask()
  begun[2]?.resolve('last')
  expect(await fourth).toBe('last')
  begun[0]?.reject(new Error('lost'))
  await expect(stuck).rejects.toThrow('lost')
})
