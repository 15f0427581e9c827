import { getPolicy } from '@sought/contract/policies'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const openTerms = (...answers: Answer[]) =>
  openScreen('/terms-of-service', {
    market: { policies: [{ policy: 'terms_of_service', version: 3 }] },
    answers,
  })

const terms = answer(getPolicy, {
  policy: 'terms_of_service',
  version: 3,
  effectiveFrom: '2026-12-01T12:00:00.000Z',
  text: '## Our rules\n\nBe **kind**. <b>No HTML</b>\n\n- One\n- [Two](https://two.example)',
})

test('the operator’s text replaces the built-in one, with its version and date', async () => {
  openTerms(terms)
  expect(await screen.findByRole('heading', { level: 2, name: 'Our rules' })).toBeVisible()
  expect(screen.getByText(/Version 3, in force since/)).toHaveTextContent('December 1, 2026')
  expect(screen.getByText('kind').tagName).toBe('STRONG')
  expect(screen.getByText(/<b>No HTML<\/b>/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Two' })).toHaveAttribute('href', 'https://two.example/')
  const [contents] = screen.getAllByRole('navigation', { name: 'On this page', hidden: true })
  expect(within(contents as HTMLElement).getByText('Our rules')).toHaveAttribute('href', '#section-our-rules')
  expect(screen.queryByText(/Last updated/)).not.toBeInTheDocument()
})

test('policies without an operator’s text show the built-in one without a request', async () => {
  const server = openScreen('/refund-policy', {
    market: { policies: [{ policy: 'terms_of_service', version: 3 }] },
  })
  expect(await screen.findByText(/Last updated/)).toBeVisible()
  expect(server.requestsTo(getPolicy)).toEqual([])
})

test('a text that failed to load can be loaded again', async () => {
  const server = openTerms(refuse(getPolicy, 'too_many'))
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  server.add(terms)
  await userEvent.click(retry)
  expect(await screen.findByRole('heading', { name: 'Our rules' })).toBeVisible()
})
