import { fireEvent, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { preloadOnIntent } from './preload-on-intent.ts'

function openLinks() {
  const load = vi.fn(() => Promise.reject(new Error('offline')))
  onTestFinished(preloadOnIntent(load))
  render(
    <>
      <a href="/item/3?from=home">
        <b>Lamp</b>
      </a>
      <a href="https://elsewhere.example/item/4">Elsewhere</a>
      <button type="button">Post</button>
    </>,
  )
  return load
}

test.each(['pointerOver', 'focusIn', 'touchStart'] as const)('%s on a link loads its screen', (intent) => {
  const load = openLinks()
  fireEvent[intent](screen.getByText('Lamp'))
  expect(load.mock.calls).toEqual([['/item/3']])
  fireEvent[intent](screen.getByText('Elsewhere'))
  fireEvent[intent](screen.getByText('Post'))
  expect(load).toHaveBeenCalledOnce()
})

test('nothing is preloaded if the data saver of the browser is on', () => {
  const load = openLinks()
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  fireEvent.pointerOver(screen.getByText('Lamp'))
  expect(load).not.toHaveBeenCalled()
})
