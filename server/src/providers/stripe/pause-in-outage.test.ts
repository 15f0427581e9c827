import { expect, test } from 'vitest'
import { type CardProvider, ProviderDown, ProviderFailed } from './card-provider.ts'
import { pauseInOutage } from './pause-in-outage.ts'

function failed(isOutage: boolean) {
  const error = new ProviderFailed('unknown', null)
  error.isOutage = isOutage
  return error
}

/** A provider whose answers the test decides, and which counts the calls. */
function providerWith() {
  const state = { error: null as Error | null, calls: 0, now: 0 }
  const readIntent = async () => {
    state.calls++
    if (state.error) throw state.error
    return null
  }
  const paused = pauseInOutage({ readIntent } as unknown as CardProvider, () => state.now)
  const ask = () => paused.readIntent('pi_1').catch((error) => error)
  return { state, ask }
}

test('after three failures in a row, calls fail at once until the provider answers again', async () => {
  const { state, ask } = providerWith()
  state.error = failed(true)
  for (let call = 0; call < 3; call++) expect(await ask()).toBe(state.error)
  for (let call = 0; call < 100; call++) expect(await ask()).toBeInstanceOf(ProviderDown)
  expect(state.calls).toBe(3)

  state.now += 30_000
  const [first, second] = await Promise.all([ask(), ask()])
  expect([first, second]).toEqual([state.error, expect.any(ProviderDown)])
  expect(state.calls).toBe(4)

  state.now += 30_000
  state.error = null
  expect(await ask()).toBeNull()
  expect(await ask()).toBeNull()
})

test('answers and refusals between failures are no outage', async () => {
  const { state, ask } = providerWith()
  for (const error of [failed(true), failed(true), failed(false), failed(true), failed(true), null]) {
    state.error = error
    expect(await ask()).toBe(error)
  }
  expect(state.calls).toBe(6)
})
