import { getConfig } from '@sought/contract/platform'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getQueryKey } from '../../data/calls.ts'
import { createQueryClient } from '../../data/query-client.ts'
import { aConfig, aMarket } from '../../testing/samples.ts'
import { Footer } from './footer.tsx'

function renderFooter(market = aMarket()) {
  const cache = createQueryClient()
  cache.setQueryData(getQueryKey(getConfig), aConfig({ market }))
  render(
    <QueryClientProvider client={cache}>
      <Footer />
    </QueryClientProvider>,
  )
}

test('the footer explains that the card is charged immediately and the money held until delivery', () => {
  renderFooter()
  expect(
    screen.getByText(
      'Say what you want and let sellers come to you. Your card is charged when you pay, and the money is held in escrow until delivery.',
    ),
  ).toBeVisible()
})

test('Support leads to the help page', () => {
  renderFooter()
  expect(screen.getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/help')
})

test('the market’s logo replaces its name and is described by it', () => {
  renderFooter(aMarket({ name: 'Bazaar', logoUrl: '/files/logo.webp' }))
  expect(screen.getByRole('img', { name: 'Bazaar' })).toHaveAttribute('src', '/files/logo.webp')
  expect(screen.queryByText('Bazaar')).not.toBeInTheDocument()
})
