import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Footer } from './footer.tsx'

test('the footer says that the card is charged at once and the money held until delivery', () => {
  render(<Footer />)
  expect(
    screen.getByText(
      'Say what you want and let sellers come to you. Your card is charged when you pay, and the money is held in escrow until delivery.',
    ),
  ).toBeVisible()
})

test('Support leads to the help page', () => {
  render(<Footer />)
  expect(screen.getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/help')
})
