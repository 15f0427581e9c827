import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  confirmDelivery,
  createDealBetween,
  payIntoEscrow,
  paymentStatus,
  startPayment,
  withoutEvents,
} from '../support/deals.ts'
import { addFiles, fillInDispute, outcomeOf, readDispute, submitDispute } from '../support/disputes.ts'
import { pdfFile, pictureFile, textFile } from '../support/files.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

/** Checks the accessibility of a page, and restores its size. */
async function checkAccessibility(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

test.describe('filing', () => {
  test('validates the form, then submits three files and every field', async ({ createDeal }) => {
    const deal = await createDeal()
    const { buyer } = deal
    const { paymentId } = await payIntoEscrow(deal)
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await buyer.getByRole('link', { name: 'Cancel' }).click()
    await expect(buyer).toHaveURL('/payments')
    expect(await paymentStatus(buyer, paymentId)).toBe('held_in_escrow')
    await buyer.getByRole('link', { name: 'Report Issue' }).click()
    await expect(buyer).toHaveURL(`/dispute-report?paymentId=${paymentId}`)
    const transaction = buyer.getByRole('region', { name: 'Transaction' })
    await expect(transaction).toContainText('A green banker’s lamp')
    await expect(transaction).toContainText('$120.00')
    await expectEveryOption(buyer)
    await expect(
      buyer.getByRole('region', { name: 'What happens when you file' }).getByRole('listitem'),
    ).toHaveText([
      'The funds stay in escrow until the dispute is resolved.',
      'We aim to resolve it within 3-5 business days.',
      'We may ask you for more evidence.',
      'False claims may lead to account suspension.',
    ])
    const help = buyer.getByRole('region', { name: 'Need help?' })
    await expect(help).toContainText('Before filing, write to the seller')
    await expect(help).toContainText('After you file, we review your case within 24 hours')

    await submitDispute(buyer)
    await expect(toast(buyer)).toContainText('Missing Information')
    await expect(toast(buyer)).toContainText('Please fill in all required fields')
    await expect(buyer.getByLabel('Dispute type')).toBeFocused()
    await expect(buyer.getByLabel('Description', { exact: true })).toHaveAttribute('aria-invalid', 'true')

    await expect(buyer.getByLabel('Evidence files', { exact: true })).toHaveCount(0)
    await buyer.getByLabel('I have evidence').check()
    const huge = { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) }
    const long = 'crack-with-a-name-that-is-longer-than-any-phone-is-wide-1.png'
    const five = [long, '2.png', '3.png', '4.png', '5.png'].map(pictureFile)
    await addFiles(buyer, huge, { ...textFile('tool.exe', 'x'), mimeType: '' }, ...five, pictureFile('6.png'))
    await expect(toast(buyer)).toContainText('File Upload Error')
    await expect(toast(buyer)).toContainText('huge.png is too large (max 10MB)')
    await expect(toast(buyer)).toContainText('tool.exe is not a supported file type')
    await expect(toast(buyer)).toContainText('Maximum 5 files allowed')
    const rows = buyer
      .getByRole('form', { name: 'Dispute' })
      .getByRole('listitem')
      .filter({ hasText: '.png' })
    await expect(rows).toHaveCount(5)
    await buyer.getByRole('button', { name: 'Remove 3.png' }).click()
    await expect(rows).toHaveCount(4)
    await checkAccessibility(buyer)
    await buyer.getByLabel('I have evidence').uncheck()
    await buyer.getByLabel('I have evidence').check()
    await expect(rows).toHaveCount(0)

    await fillInDispute(buyer)
    await buyer.getByLabel('Attempted resolution').fill('Wrote twice')
    await buyer.getByLabel('Desired outcome').selectOption('partial_refund')
    await addFiles(buyer, pictureFile('crack.png'), pdfFile('invoice.pdf'))
    await drop(buyer, 'letters.txt')
    await expect(rows.filter({ hasText: 'crack.png' }).locator('img')).toBeVisible()
    await buyer.getByLabel('Description of crack.png').fill('Seen from the left')
    await buyer.getByLabel('About the evidence').fill('All from the day it came')
    await buyer.getByLabel('Additional comments').fill('I would keep it for less')
    await submitDispute(buyer)

    await expect(toast(buyer)).toContainText('Dispute Submitted Successfully')
    await expect(toast(buyer)).toContainText(
      "Dispute submitted with 3 evidence file(s). We'll review your case within 24 hours.",
    )
    await expect(buyer).toHaveURL('/payments')
    const { dispute, evidence } = await readDispute(buyer, paymentId)
    expect(dispute.status).toBe('disputed')
    expect(dispute.disputeReason).toBe(
      [
        'Dispute type: Item arrived damaged',
        'Reason: Cracked glass',
        'Description: The shade is cracked from top to bottom.',
        'Attempted resolution: Wrote twice',
        'Desired outcome: Partial refund',
        'Evidence files: crack.png, invoice.pdf, letters.txt',
        'About the evidence: All from the day it came',
        'Additional comments: I would keep it for less',
      ].join('\n\n'),
    )
    expect(
      evidence.map((it: { fileName: string; description: string | null }) => [it.fileName, it.description]),
    ).toEqual([
      ['crack.png', 'Seen from the left'],
      ['invoice.pdf', null],
      ['letters.txt', null],
    ])
  })

  test('shows the progress of each file, and a retry files nothing twice', async ({ createDeal }) => {
    const deal = await createDeal()
    const { buyer } = deal
    const { paymentId } = await payIntoEscrow(deal)
    let filings = 0
    await buyer.route('**/api/initiate-dispute', (route) => {
      filings += 1
      return route.continue()
    })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let uploads = 0
    await buyer.route('**/upload-evidence', async (route) => {
      uploads += 1
      await released
      // The first upload of the second file fails on its way.
      return uploads === 2 ? route.fulfill({ status: 408, body: '' }) : route.continue()
    })
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await fillInDispute(buyer)
    await buyer.getByLabel('I have evidence').check()
    // The last is called a pictureFile, and is none: the server looks inside.
    const page = { ...textFile('page.png', '<html></html>'), mimeType: 'image/png' }
    await addFiles(buyer, pictureFile('first.png'), pictureFile('second.png'), page)
    await submitDispute(buyer)

    await expect(buyer.getByRole('heading', { name: 'Your dispute is filed' })).toBeVisible()
    await expect(buyer.getByRole('progressbar', { name: 'Uploading first.png' })).toBeVisible()
    await expect(buyer.getByText('Uploading your evidence.')).toBeVisible()
    release()
    await expect(
      buyer.getByText('2 files were not uploaded. Try again, or continue without them.'),
    ).toBeVisible()
    await expect(buyer.getByRole('listitem').filter({ hasText: 'first.png' })).toContainText('sent')
    await expect(buyer.getByText('This type of content is not supported.')).toBeVisible()
    await expect(buyer).toHaveURL(`/dispute-report?paymentId=${paymentId}`)
    await expect(buyer.getByRole('button', { name: /^Try again/ })).toHaveCount(1)
    await buyer.getByRole('button', { name: 'Try again: second.png' }).click()
    await expect(
      buyer.getByText('One file was not uploaded. Try again, or continue without it.'),
    ).toBeVisible()
    await buyer.getByRole('button', { name: 'Skip Failed Files' }).click()

    await expect(toast(buyer)).toContainText('Dispute submitted with 2 evidence file(s).')
    await expect(buyer).toHaveURL('/payments')
    expect(filings).toBe(1)
    expect((await readDispute(buyer, paymentId)).evidence).toHaveLength(2)
  })

  test('keeps the form after a failure, and does not file what another tab has filed', async ({
    createDeal,
  }) => {
    const deal = await createDeal()
    const { buyer } = deal
    const { paymentId } = await payIntoEscrow(deal)
    await buyer.route('**/api/initiate-dispute', (route) => route.fulfill({ status: 404, body: '' }))
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await fillInDispute(buyer)
    await submitDispute(buyer)
    await expect(toast(buyer)).toContainText('Error')
    await expect(toast(buyer)).toContainText('Failed to submit dispute. Please try again.')
    await expect(buyer.getByLabel('Reason', { exact: true })).toHaveValue('Cracked glass')
    await buyer.unroute('**/api/initiate-dispute')
    await submitDispute(buyer)
    await expect(toast(buyer)).toContainText('Dispute Submitted Successfully')
    await expect(toast(buyer)).toContainText("We'll review your case and contact you within 24 hours")
    await expect(buyer).toHaveURL('/payments')
    await buyer.getByRole('link', { name: 'View Dispute' }).click()
    await expect(buyer).toHaveURL(`/dispute/${paymentId}`)

    const other = await payIntoEscrow(await createDealBetween(deal, 5_000))
    // Without events, the page does not learn about it.
    await withoutEvents(buyer)
    await buyer.goto(`/dispute-report?paymentId=${other.paymentId}`)
    await fillInDispute(buyer)
    await buyer.request.post('/api/initiate-dispute', {
      data: { paymentId: other.paymentId, reason: 'First' },
    })
    await submitDispute(buyer)
    await expect(toast(buyer)).toContainText('Failed to submit dispute. Please try again.')
    await expect(buyer.getByRole('heading', { name: 'Already in dispute' })).toBeVisible()
    await buyer.getByRole('link', { name: 'View Dispute' }).click()
    await expect(buyer.getByRole('region', { name: 'Reason' })).toContainText('First')
  })

  test('is only for the buyer of a payment in escrow, and says why to others', async ({
    createDeal,
    createUser,
    openAs,
    openAsVisitor,
  }) => {
    const deal = await createDeal()
    const { buyer, seller } = deal
    const { paymentId } = await startPayment(deal)
    const form = `/dispute-report?paymentId=${paymentId}`
    await seller.goto('/dispute-report')
    await expect(seller.getByRole('heading', { name: 'Invalid Request' })).toBeVisible()
    await expect(seller.getByText('No payment ID specified for dispute.')).toBeVisible()
    await expect(toast(seller)).toContainText('No payment ID specified')
    await seller.getByRole('link', { name: 'Back to Payments' }).click()
    await expect(seller).toHaveURL('/payments')
    await seller.goto('/dispute-report?paymentId=lamp')
    await expect(seller.getByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
    await expect(seller.getByRole('link', { name: 'Back to Payments' })).toBeVisible()
    await seller.goto(form)
    await expect(seller.getByRole('heading', { name: 'Access Denied' })).toBeVisible()

    await buyer.goto(form)
    await expect(buyer.getByRole('heading', { name: 'Not in escrow' })).toBeVisible()
    await expect(buyer.getByText('This payment is still being processed.')).toBeVisible()
    await payIntoEscrow(deal)
    await confirmDelivery(buyer, paymentId)
    await buyer.goto(form)
    await expect(buyer.getByText('has been released to the seller')).toBeVisible()

    const stranger = await openAs(await createUser('Eve'), form)
    await expect(stranger.getByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
    await stranger.goto(`/dispute/${paymentId}`)
    await expect(stranger.getByRole('heading', { name: 'Dispute not found' })).toBeVisible()
    const visitor = await openAsVisitor(`/dispute/${paymentId}`)
    await expect(visitor.getByText('Please log in to view this dispute.')).toBeVisible()
  })
})

async function expectEveryOption(page: Page): Promise<void> {
  const values = (label: string) =>
    page
      .getByLabel(label)
      .locator('option:not([hidden])')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')))
  expect(await values('Dispute type')).toEqual([
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
  expect(await values('Desired outcome')).toEqual([
    'full_refund',
    'partial_refund',
    'replacement_item',
    'return_and_refund',
    'compensation',
    'other_resolution',
  ])
}

async function drop(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((fileName) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['Dear Bob'], fileName, { type: 'text/plain' }))
    return transfer
  }, name)
  await page.getByText('Drop files here, or choose them').dispatchEvent('drop', { dataTransfer })
}

test.describe('the parties', () => {
  test('both add evidence, and each sees the other’s live', async ({ createDispute }) => {
    const { buyer, seller, paymentId } = await createDispute()
    await buyer.goto(`/dispute/${paymentId}`)
    await seller.goto('/payments')
    await seller.getByRole('link', { name: 'View Dispute' }).click()
    await expect(seller).toHaveURL(`/dispute/${paymentId}`)
    await expect(seller.getByRole('main')).toContainText('In dispute')
    await expect(seller.getByRole('main')).toContainText('$120.01')
    await expect(seller.getByRole('region', { name: 'Reason' })).toContainText('The shade is cracked')
    await expect(buyer.getByText('No evidence submitted yet')).toBeVisible()

    await seller.getByLabel('Your statement').fill('It was whole when I packed it.')
    await seller.getByRole('button', { name: 'Add Statement' }).click()
    const seen = buyer.getByRole('region', { name: 'Evidence' })
    await expect(seen).toContainText('Bob Tester, seller')
    await expect(seen).toContainText('It was whole when I packed it.')

    await addFiles(seller, pictureFile('packed.png'), textFile('carrier.txt', 'Picked up on Monday'))
    await seller.getByLabel('Description of packed.png').fill('Four layers of paper')
    await seller.getByRole('button', { name: 'Send 2 Files' }).click()
    await expect(seen.getByRole('img', { name: 'Four layers of paper' })).toBeVisible()
    const width = (image: Element) => (image as HTMLImageElement).naturalWidth
    await expect
      .poll(() => seen.getByRole('img', { name: 'Four layers of paper' }).evaluate(width))
      .toBeGreaterThan(0)
    const downloaded = buyer.waitForEvent('download')
    await seen.getByRole('link', { name: 'Download carrier.txt' }).click()
    expect((await downloaded).suggestedFilename()).toBe('carrier.txt')
    await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText('Statement added')

    await seller.getByRole('button', { name: 'Done' }).click()
    await expect(seller.getByText('Up to 3 files of 10MB each.')).toBeVisible()
    await addFiles(seller, ...['3.png', '4.png', '5.png'].map(pictureFile))
    await seller.getByRole('button', { name: 'Send 3 Files' }).click()
    await seller.getByRole('button', { name: 'Done' }).click()
    await expect(seller.getByText('You have uploaded the maximum of 5 files.')).toBeVisible()
  })

  test('an accepted settlement moves the money at once', async ({ createDispute, expectLedger }) => {
    const disputed = await createDispute(10_001)
    const { buyer, seller, paymentId } = disputed
    const name = 'letters-with-a-name-that-is-longer-than-any-phone-is-wide-from-1962.txt'
    for (const file of [textFile(name, 'Dear Ada'), pictureFile('packed.png')]) {
      await seller.request.post(`/api/disputes/${paymentId}/upload-evidence`, { multipart: { file } })
    }
    await Promise.all([buyer.goto(`/dispute/${paymentId}`), seller.goto(`/dispute/${paymentId}`)])
    await seller.getByRole('button', { name: 'Propose a Settlement' }).click()
    await seller.getByLabel('Or type an amount').fill('100.01')
    await expect(seller.getByText('Enter an amount from $0.01 to $100.00')).toBeVisible()
    await expect(seller.getByRole('button', { name: 'Send Proposal' })).toBeDisabled()
    await seller.getByLabel('Or type an amount').fill('50')
    await seller.getByRole('button', { name: 'Send Proposal' }).click()
    await expect(seller.getByText('Waiting for Ada Tester to reply.')).toBeVisible()
    await expect(seller.getByRole('button', { name: /^Accept/ })).toHaveCount(0)

    // While the buyer reads it, the seller changes the proposal.
    await buyer.getByRole('button', { name: 'Accept $50.00' }).click()
    await seller.getByRole('button', { name: 'Propose Another Amount' }).click()
    await seller.getByLabel('Or type an amount').fill('33.33')
    // 66.68 are left: 3 % are 2.00, 2.9 % and 0.30 are 2.23.
    await expect(seller.getByRole('dialog')).toContainText('Platform fee$2.00')
    await expect(seller.getByRole('dialog')).toContainText('Card processing$2.23')
    await expect(seller.getByRole('dialog')).toContainText('$62.45')
    await checkAccessibility(seller)
    await seller.getByRole('button', { name: 'Send Proposal' }).click()
    await expect(buyer.getByText('Bob Tester proposes to refund $33.33 to you')).toBeVisible()
    // The confirmation stays that of the old proposal.
    await buyer.getByRole('alertdialog').getByRole('button', { name: 'Accept $50.00' }).click()
    await expect(toast(buyer)).toContainText(
      'This proposal has changed or was withdrawn. Please reload the page.',
    )
    await expectLedger(paymentId, { escrow: 10_001, provider: -10_001 })

    await expect(buyer.getByRole('button', { name: 'Accept $33.33' })).toBeVisible()
    await checkAccessibility(buyer)
    await buyer.getByRole('button', { name: 'Accept $33.33' }).click()
    await buyer.getByRole('alertdialog').getByRole('button', { name: 'Accept $33.33' }).click()
    await expect(toast(buyer)).toContainText('Dispute Settled')
    await expect(buyer.getByText('Split between you')).toBeVisible()
    await expect(seller.getByText('Split between you')).toBeVisible()
    expect(await outcomeOf(disputed)).toEqual({ status: 'resolved_partial', refund: 3_333, payout: 6_245 })
    await expectLedger(paymentId, {
      provider: -6_668,
      seller: 6_245,
      'fees:platform': 200,
      'fees:processing': 223,
    })
  })

  test('a withdrawn dispute returns the payment to escrow, and the seller sees it', async ({
    createDispute,
    expectLedger,
  }) => {
    const { buyer, seller, paymentId } = await createDispute(12_001)
    await Promise.all([buyer.goto(`/dispute/${paymentId}`), seller.goto(`/dispute/${paymentId}`)])
    await expect(seller.getByRole('heading', { name: `Dispute #${paymentId}` })).toBeVisible()
    await expect(seller.getByRole('button', { name: 'Withdraw Dispute' })).toHaveCount(0)
    await buyer.getByRole('button', { name: 'Withdraw Dispute' }).click()
    await buyer.getByRole('button', { name: 'Keep Dispute' }).click()
    expect(await paymentStatus(buyer, paymentId)).toBe('disputed')
    await buyer.getByRole('button', { name: 'Withdraw Dispute' }).click()
    await buyer.getByRole('alertdialog').getByRole('button', { name: 'Withdraw Dispute' }).click()
    await expect(toast(buyer)).toContainText('Dispute Withdrawn')
    await expect(buyer).toHaveURL('/payments')
    await expect(seller.getByRole('heading', { name: 'Dispute not found' })).toBeVisible()
    expect(await paymentStatus(buyer, paymentId)).toBe('held_in_escrow')
    await expectLedger(paymentId, { escrow: 12_001, provider: -12_001 })
  })
})
