import { getConfig } from '@sought/contract/platform'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Route, Switch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { getQueryKey } from '../data/calls.ts'
import { createQueryClient } from '../data/query-client.ts'
import { aConfig } from '../testing/samples.ts'
import { ScreenErrorBoundary } from './screen-error-boundary.tsx'

const draw = vi.fn(() => {
  throw new Error('broken')
})

function BrokenScreen(): never {
  return draw()
}

test('a screen that fails shows an error, and another screen can still be opened', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  act(() => navigate('/broken'))
  const cache = createQueryClient()
  cache.setQueryData(getQueryKey(getConfig), aConfig())
  render(
    <QueryClientProvider client={cache}>
      <ScreenErrorBoundary>
        <Switch>
          <Route path="/broken">
            <BrokenScreen />
          </Route>
          <Route>Another screen</Route>
        </Switch>
      </ScreenErrorBoundary>
    </QueryClientProvider>,
  )
  expect(screen.getByRole('alert')).toHaveTextContent('This screen did not load')
  act(() => navigate('/?search=lamp'))
  const tries = draw.mock.calls.length
  act(() => navigate('/broken?again'))
  expect(screen.getByRole('alert')).toHaveTextContent('This screen did not load')
  // React itself tries a failed screen once more.
  expect(draw.mock.calls.length - tries).toBe(2)
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()

  act(() => navigate('/'))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(screen.getByText('Another screen')).toBeVisible()
})
