import { initiateDispute, uploadEvidence } from '@sought/contract/disputes'
import { getPaymentSummary, listPayments, type PaymentStatus } from '@sought/contract/payments'
import { refusals } from '@sought/contract/refusals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { enterText } from '../../testing/enter-text.ts'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aDispute, anEvidenceFile, aPayment, aUser } from '../../testing/samples.ts'

const summary = (status: PaymentStatus) => {
  const { wantedItem, ...payment } = aPayment()
  return { ...payment, status, wantedItems: wantedItem }
}

const openForm = (...answers: Answer[]) =>
  openScreen('/dispute-report?paymentId=1', {
    user: aUser(),
    answers: [answer(getPaymentSummary, summary('held_in_escrow')), answer(listPayments, []), ...answers],
  })

async function fillAndSubmit() {
  await userEvent.selectOptions(await screen.findByLabelText('Dispute type'), 'item_damaged')
  await enterText(screen.getByLabelText('Reason'), 'Cracked')
  await enterText(screen.getByLabelText('Description'), 'The shade is cracked.')
  await userEvent.selectOptions(screen.getByLabelText('Desired outcome'), 'partial_refund')
  await userEvent.click(screen.getByRole('button', { name: 'Submit Dispute' }))
}

test('submitting a dispute sends one composed text and leads to the transactions', async () => {
  const server = openForm(answer(initiateDispute, aDispute()))
  await fillAndSubmit()
  await waitFor(() => expect(window.location.pathname).toBe('/payments'))
  expect(screen.getByText('Dispute Submitted Successfully')).toBeVisible()
  expect(screen.getByText("We'll review your case and contact you within 24 hours")).toBeVisible()
  expect(server.requestsTo(initiateDispute)).toEqual([
    {
      body: {
        paymentId: 1,
        reason: [
          'Dispute type: Item arrived damaged',
          'Reason: Cracked',
          'Description: The shade is cracked.',
          'Desired outcome: Partial refund',
        ].join('\n\n'),
      },
    },
  ])
})

test('after a failure the form keeps its content and can be sent again', async () => {
  const server = openForm(refuse(initiateDispute, 'too_many'))
  await fillAndSubmit()
  expect(await screen.findByText('Failed to submit dispute. Please try again.')).toBeVisible()
  expect(screen.getByLabelText('Reason')).toHaveValue('Cracked')
  server.add(answer(initiateDispute, aDispute()))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Submit Dispute' })).toBeEnabled())
  await userEvent.click(screen.getByRole('button', { name: 'Submit Dispute' }))
  await waitFor(() => expect(window.location.pathname).toBe('/payments'))
})

test('if the payment is already disputed, the screen leads to the dispute', async () => {
  const server = openForm(refuse(initiateDispute, 'payment_wrong_state'))
  await screen.findByLabelText('Dispute type')
  server.add(answer(getPaymentSummary, summary('disputed')))
  await fillAndSubmit()
  expect(await screen.findByRole('heading', { name: 'Already in dispute' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Dispute' })).toHaveAttribute('href', '/dispute/1')
})

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Submit Dispute' }))

const imageFile = (name: string) => new File(['image'], name, { type: 'image/png' })

async function addFiles(...files: File[]): Promise<void> {
  const user = userEvent.setup({ applyAccept: false })
  await user.upload(screen.getByLabelText('Evidence files', { selector: 'input' }), files)
}

const fileRows = () =>
  within(screen.getByRole('form', { name: 'Dispute' }))
    .queryAllByRole('listitem')
    .filter((row) => row.textContent?.includes('.png'))

test('the form shows the transaction, every option and what happens next', async () => {
  openForm()
  const values = (label: string) =>
    [...screen.getByLabelText(label).querySelectorAll('option:not([hidden])')].map((option) =>
      option.getAttribute('value'),
    )
  const transaction = await screen.findByRole('region', { name: 'Transaction' })
  expect(transaction).toHaveTextContent('A green lamp')
  expect(transaction).toHaveTextContent('$120.00')
  expect(values('Dispute type')).toEqual([
    'item_not_received',
    'item_not_as_described',
    'item_damaged',
    'wrong_item',
    'seller_unresponsive',
    'counterfeit_item',
    'partial_shipment',
    'delivery_issues',
    'quality_issues',
    'other',
  ])
  expect(values('Desired outcome')).toEqual([
    'full_refund',
    'partial_refund',
    'replacement_item',
    'return_and_refund',
    'compensation',
    'other_resolution',
  ])
  const consequences = within(screen.getByRole('region', { name: 'What happens when you file' }))
  expect(consequences.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'The funds stay in escrow until the dispute is resolved.',
    'We aim to resolve it within 3-5 business days.',
    'We may ask you for more evidence.',
    'False claims may lead to account suspension.',
  ])
  const help = screen.getByRole('region', { name: 'Need help?' })
  expect(help).toHaveTextContent('Before filing, write to the seller')
  expect(help).toHaveTextContent('After you file, we review your case within 24 hours')
  await userEvent.click(screen.getByRole('link', { name: 'Cancel' }))
  expect(window.location.pathname).toBe('/payments')
})

test('missing fields show a toast, and the first is focused', async () => {
  openForm()
  await screen.findByLabelText('Dispute type')
  await submit()
  expect(await screen.findByText('Missing Information')).toBeVisible()
  expect(screen.getByText('Please fill in all required fields')).toBeVisible()
  expect(screen.getByLabelText('Dispute type')).toHaveFocus()
  expect(screen.getByLabelText('Description')).toHaveAttribute('aria-invalid', 'true')
})

test('evidence files are checked when they are chosen, and can be removed or cleared', async () => {
  openForm()
  const checkbox = await screen.findByLabelText(/I have evidence/)
  expect(screen.queryByLabelText('Evidence files')).not.toBeInTheDocument()
  await userEvent.click(checkbox)
  const huge = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'huge.png', { type: 'image/png' })
  await addFiles(
    huge,
    new File(['x'], 'tool.exe'),
    ...['1.png', '2.png', '3.png', '4.png', '5.png', '6.png'].map(imageFile),
  )
  const toast = await screen.findByText(/huge\.png is too large \(max 10MB\)/)
  expect(screen.getByText('File Upload Error')).toBeVisible()
  expect(toast).toHaveTextContent('tool.exe is not a supported file type')
  expect(toast).toHaveTextContent('Maximum 5 files allowed')
  expect(fileRows()).toHaveLength(5)
  await userEvent.click(screen.getByRole('button', { name: 'Remove 3.png' }))
  expect(fileRows()).toHaveLength(4)
  await userEvent.click(checkbox)
  await userEvent.click(checkbox)
  expect(fileRows()).toHaveLength(0)
  fireEvent.drop(screen.getByText('Drop files here, or choose them'), {
    dataTransfer: { files: [imageFile('dropped.png')] },
  })
  expect(fileRows()).toHaveLength(1)
})

test('uploads show the progress of each file, and a retry does not file the dispute again', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let uploadCount = 0
  const server = openForm(answer(initiateDispute, aDispute()), {
    call: uploadEvidence,
    respond: async () => {
      uploadCount += 1
      await released
      if (uploadCount === 2) return new Response('', { status: 408 })
      if (uploadCount === 3) return Response.json(refusalOf('wrong_type'), { status: 415 })
      return Response.json(anEvidenceFile(), { status: 201 })
    },
  })
  await userEvent.click(await screen.findByLabelText(/I have evidence/))
  await addFiles(...['first.png', 'second.png', 'page.png'].map(imageFile))
  await enterText(screen.getByLabelText('Description of first.png'), 'From the left')
  await fillAndSubmit()
  expect(await screen.findByRole('heading', { name: 'Your dispute is filed' })).toBeVisible()
  expect(screen.getByRole('progressbar', { name: 'Uploading first.png' })).toBeVisible()
  expect(screen.getByText(/Uploading your evidence\./)).toBeVisible()
  release()
  expect(
    await screen.findByText('2 files were not uploaded. Try again, or continue without them.'),
  ).toBeVisible()
  expect(
    screen.getAllByRole('listitem').find((row) => row.textContent?.includes('first.png')),
  ).toHaveTextContent('sent')
  expect(screen.getByText('This type of content is not supported.')).toBeVisible()
  expect(screen.getAllByRole('button', { name: /^Try again/ })).toHaveLength(1)
  expect(window.location.pathname).toBe('/dispute-report')
  await userEvent.click(screen.getByRole('button', { name: 'Try again: second.png' }))
  expect(
    await screen.findByText('One file was not uploaded. Try again, or continue without it.'),
  ).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Skip Failed Files' }))
  expect(
    await screen.findByText(
      "Dispute submitted with 2 evidence file(s). We'll review your case within 24 hours.",
    ),
  ).toBeVisible()
  expect(window.location.pathname).toBe('/payments')
  expect(server.requestsTo(initiateDispute)).toHaveLength(1)
  expect(
    server.requestsTo(uploadEvidence).map(({ file, fields }) => [file.name, fields.description]),
  ).toEqual([
    ['first.png', 'From the left'],
    ['second.png', ''],
    ['page.png', ''],
    ['second.png', ''],
  ])
})

const refusalOf = (code: keyof typeof refusals) => ({ code, message: refusals[code].message })

test('a URL without a payment is an invalid request', async () => {
  openScreen('/dispute-report', { user: aUser() })
  expect(await screen.findByRole('heading', { name: 'Invalid Request' })).toBeVisible()
  expect(screen.getByText('No payment ID specified for dispute.')).toBeVisible()
  expect(await screen.findByText('No payment ID specified')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Payments' })).toHaveAttribute('href', '/payments')
})

test.each([
  ['an id that is no number', 'lamp', []],
  ['the payment of others', '1', [refuse(getPaymentSummary, 'payment_not_found')]],
])('%s is not found', async (_, id, answers) => {
  openScreen(`/dispute-report?paymentId=${id}`, { user: aUser(), answers })
  expect(await screen.findByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Payments' })).toBeVisible()
})

test('only the buyer can file a dispute', async () => {
  openScreen('/dispute-report?paymentId=1', {
    user: aUser({ id: aPayment().sellerId }),
    answers: [answer(getPaymentSummary, summary('held_in_escrow'))],
  })
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
})

test.each([
  ['pending', 'This payment is still being processed.'],
  ['completed', 'This payment has been released to the seller.'],
] as const)('a payment that is %s cannot be disputed, because it is not in escrow', async (status, text) => {
  openForm(answer(getPaymentSummary, summary(status)))
  expect(await screen.findByRole('heading', { name: 'Not in escrow' })).toBeVisible()
  expect(screen.getByText(new RegExp(text))).toBeVisible()
})
