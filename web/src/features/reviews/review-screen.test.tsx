import { getPayment } from '@sought/contract/payments'
import { reviewPayment } from '@sought/contract/reviews'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { enterText } from '../../testing/enter-text.ts'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aPayment, aSeller, aUser } from '../../testing/samples.ts'

const seller = aUser({ id: aSeller.id })
const ended = aPayment({ status: 'completed' })

const openReview = (deal = ended, answers: Answer[] = [], user = seller) =>
  openScreen('/deal/1/review', { user, answers: [answer(getPayment, deal), ...answers] })

test('the seller reviews the buyer with stars, tags and words', async () => {
  const server = openReview(ended, [answer(reviewPayment, { id: 7, published: false })])
  expect(await screen.findByRole('heading', { level: 1, name: 'Review Ada Buyer' })).toBeVisible()
  expect(screen.getByText(/stays hidden until Ada Buyer has written one too/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Well packed' })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Submit Review' }))
  expect(screen.getByText('Please select a star rating before submitting.')).toBeVisible()
  await userEvent.click(screen.getByRole('radio', { name: /Very Good/ }))
  for (const tag of ['Friendly', 'Paid promptly', 'Clear request'])
    await userEvent.click(screen.getByRole('button', { name: tag }))
  expect(screen.getByRole('button', { name: 'Slow replies' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Clear request' }))
  await enterText(screen.getByRole('textbox', { name: /Review/ }), 'Paid at once.')
  await userEvent.click(screen.getByRole('button', { name: 'Submit Review' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Thank you!' })).toBeVisible()
  expect(screen.getByText(/becomes public once they have written theirs/)).toBeVisible()
  expect(server.requestsTo(reviewPayment)).toMatchObject([
    { params: { id: '1' }, body: { rating: 4, tags: ['friendly', 'paid_promptly'], text: 'Paid at once.' } },
  ])
})

test('a refused review shows the reason', async () => {
  openReview(ended, [refuse(reviewPayment, 'review_closed')])
  await userEvent.click(await screen.findByRole('radio', { name: /Excellent/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Submit Review' }))
  expect(
    await screen.findByText('Reviews can be written until 14 days after the end of a deal.'),
  ).toBeVisible()
})

test.each([
  ['the deal is not over', aPayment(), 'Not yet'],
  ['it is too late', { ...ended, reviewUntil: '2020-01-01T00:00:00.000Z' }, 'Reviews are closed'],
  ['it is written', { ...ended, reviewedBySeller: true }, 'Thank you!'],
])('the form is hidden if %s', async (_, deal, title) => {
  openReview(deal)
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Submit Review' })).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'View Deal' })).toHaveAttribute('href', '/deal/1')
})

test('an unpublished review of the other person is announced without its content', async () => {
  openReview({ ...ended, rated: true })
  expect(await screen.findByText('Ada Buyer has already reviewed you')).toBeVisible()
  expect(screen.getByText(/Both reviews become public as soon as you submit yours/)).toBeVisible()
})

test('the deal is not found for other people', async () => {
  openReview(ended, [], aUser({ id: 'somebody' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Deal not found' })).toBeVisible()
})
