import type { Page } from '@playwright/test'
import { agree, hold, start, statusOf, toast } from '../deal.ts'
import { disputeFile, note, outcome, pdf, picture, quarrel } from '../dispute.ts'
import { lookInEveryWay } from '../look.ts'
import { expect, test } from '../story.ts'

/** Fills in what the form insists on. */
async function complain(page: Page): Promise<void> {
  await page.getByLabel('Dispute type').selectOption('item_damaged')
  await page.getByLabel('Reason', { exact: true }).fill('Cracked glass')
  await page.getByLabel('Description', { exact: true }).fill('The shade is cracked from top to bottom.')
}

const submit = (page: Page) => page.getByRole('button', { name: 'Submit Dispute' }).click()

const addFiles = async (page: Page, ...files: ReturnType<typeof picture>[]) =>
  page.getByLabel('Evidence files', { exact: true }).setInputFiles(files)

test.describe('the form', () => {
  test('shows the transaction, and files with three files and everything that was written', async ({
    as,
    given,
  }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    await buyer.goto('/payments')
    await buyer.getByRole('link', { name: 'Report Issue' }).click()
    await expect(buyer).toHaveURL(`/dispute-report?paymentId=${paymentId}`)
    const transaction = buyer.getByRole('region', { name: 'Transaction' })
    await expect(transaction).toContainText('A green banker’s lamp')
    await expect(transaction).toContainText('$120.00')

    await complain(buyer)
    await buyer.getByLabel('Attempted resolution').fill('Wrote twice')
    await buyer.getByLabel('Desired outcome').selectOption('partial_refund')
    await buyer.getByLabel('I have evidence').check()
    await addFiles(buyer, picture('crack.png'), pdf('invoice.pdf'), note('letters.txt', 'Dear Bob'))
    await expect(buyer.getByRole('listitem').filter({ hasText: 'crack.png' }).locator('img')).toBeVisible()
    await buyer.getByLabel('Description of crack.png').fill('Seen from the left')
    await buyer.getByLabel('About the evidence').fill('All from the day it came')
    await buyer.getByLabel('Additional comments').fill('I would keep it for less')
    await submit(buyer)

    await expect(toast(buyer)).toContainText('Dispute Submitted Successfully')
    await expect(toast(buyer)).toContainText(
      "Dispute submitted with 3 evidence file(s). We'll review your case within 24 hours.",
    )
    await expect(buyer).toHaveURL('/payments')
    const { dispute, evidence } = await disputeFile(buyer, paymentId)
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

  test('without files it says the other sentence', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { paymentId } = await hold(deal)
    await deal.buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await complain(deal.buyer)
    await submit(deal.buyer)
    await expect(toast(deal.buyer)).toContainText('Dispute Submitted Successfully')
    await expect(toast(deal.buyer)).toContainText("We'll review your case and contact you within 24 hours")
    await expect(deal.buyer).toHaveURL('/payments')
    await deal.buyer.getByRole('link', { name: 'View Dispute' }).click()
    await expect(deal.buyer).toHaveURL(`/dispute/${paymentId}`)
  })

  test('insists on type, reason and description, and can be left', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await submit(buyer)
    await expect(toast(buyer)).toContainText('Missing Information')
    await expect(toast(buyer)).toContainText('Please fill in all required fields')
    await expect(buyer.getByLabel('Dispute type')).toBeFocused()
    await expect(buyer.getByLabel('Description', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await buyer.getByRole('link', { name: 'Cancel' }).click()
    await expect(buyer).toHaveURL('/payments')
    expect(await statusOf(buyer, paymentId)).toBe('held_in_escrow')
  })

  test('offers every kind of problem and every outcome of the specification', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { paymentId } = await hold(deal)
    await deal.buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await expect(deal.buyer.getByRole('form', { name: 'Dispute' })).toBeVisible()
    const values = (label: string) =>
      deal.buyer
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
  })
})

test.describe('the evidence uploader', () => {
  test('says everything that is wrong with a batch in one toast, and forgets files with the tick', async ({
    as,
    given,
  }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await expect(buyer.getByLabel('Evidence files', { exact: true })).toHaveCount(0)
    await buyer.getByLabel('I have evidence').check()
    const huge = { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) }
    const five = ['1.png', '2.png', '3.png', '4.png', '5.png'].map(picture)
    await addFiles(buyer, huge, { ...note('tool.exe', 'x'), mimeType: '' }, ...five, picture('6.png'))
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

    await buyer.getByLabel('I have evidence').uncheck()
    await buyer.getByLabel('I have evidence').check()
    await expect(rows).toHaveCount(0)
  })

  test('takes what is dropped on it', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await buyer.getByLabel('I have evidence').check()
    const dropped = await buyer.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Dear Bob'], 'dropped.txt', { type: 'text/plain' }))
      return transfer
    })
    await buyer.getByText('Drop files here, or choose them').dispatchEvent('drop', { dataTransfer: dropped })
    await expect(buyer.getByRole('button', { name: 'Remove dropped.txt' })).toBeVisible()
  })

  test('a file that did not arrive is tried again, and nothing is filed twice', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    let filings = 0
    await buyer.route('**/api/initiate-dispute', (route) => {
      filings += 1
      return route.continue()
    })
    let uploads = 0
    await buyer.route('**/upload-evidence', (route) => {
      uploads += 1
      // The second file's first try is turned away on the way.
      return uploads === 2 ? route.fulfill({ status: 408, body: '' }) : route.continue()
    })
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await complain(buyer)
    await buyer.getByLabel('I have evidence').check()
    await addFiles(buyer, picture('first.png'), picture('second.png'), picture('third.png'))
    await submit(buyer)

    await expect(buyer.getByRole('heading', { name: 'Your dispute is filed' })).toBeVisible()
    await expect(buyer.getByText('One file did not arrive. Try again, or continue without.')).toBeVisible()
    await expect(buyer.getByRole('listitem').filter({ hasText: 'third.png' })).toContainText('sent')
    await expect(buyer).toHaveURL(`/dispute-report?paymentId=${paymentId}`)
    await buyer.getByRole('button', { name: 'Try again: second.png' }).click()

    await expect(toast(buyer)).toContainText('Dispute submitted with 3 evidence file(s).')
    await expect(buyer).toHaveURL('/payments')
    expect(filings).toBe(1)
    expect((await disputeFile(buyer, paymentId)).evidence).toHaveLength(3)
  })

  test('whoever goes on without a file is told of those that arrived', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await complain(buyer)
    await buyer.getByLabel('I have evidence').check()
    // It is called a picture, and is none: the server looks inside.
    await addFiles(buyer, { ...note('page.png', '<html></html>'), mimeType: 'image/png' }, pdf('invoice.pdf'))
    await submit(buyer)
    await expect(buyer.getByText('That kind of content is not accepted here.')).toBeVisible()
    await expect(buyer.getByRole('button', { name: /^Try again/ })).toHaveCount(0)
    await buyer.getByRole('button', { name: 'Continue Without' }).click()
    await expect(toast(buyer)).toContainText('Dispute submitted with 1 evidence file(s).')
    await expect(buyer).toHaveURL('/payments')
  })

  test('each file has a bar that tells how far it is', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await buyer.route('**/upload-evidence', async (route) => {
      await held
      await route.continue()
    })
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await complain(buyer)
    await buyer.getByLabel('I have evidence').check()
    await addFiles(buyer, picture('first.png'), picture('second.png'))
    await submit(buyer)
    await expect(buyer.getByRole('progressbar', { name: 'Uploading first.png' })).toBeVisible()
    await expect(buyer.getByText('Sending your evidence.')).toBeVisible()
    letGo()
    await expect(toast(buyer)).toContainText('Dispute submitted with 2 evidence file(s).')
  })
})

test.describe('what cannot be disputed', () => {
  test('no payment id: an invalid request, and a way back', async ({ as, given }) => {
    const page = await as(await given.person(), '/dispute-report')
    await expect(page.getByRole('heading', { name: 'Invalid Request' })).toBeVisible()
    await expect(page.getByText('No payment ID specified for dispute.')).toBeVisible()
    await expect(toast(page)).toContainText('No payment ID specified')
    await page.getByRole('link', { name: 'Back to Payments' }).click()
    await expect(page).toHaveURL('/payments')
  })

  for (const id of ['2000000000', 'lamp']) {
    test(`no such payment: ${id}`, async ({ as, given }) => {
      const page = await as(await given.person(), `/dispute-report?paymentId=${id}`)
      await expect(page.getByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Back to Payments' })).toBeVisible()
    })
  }

  test('a stranger’s payment is not there, and the seller is no buyer', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { paymentId } = await hold(deal)
    const stranger = await as(await given.person('Eve'), `/dispute-report?paymentId=${paymentId}`)
    await expect(stranger.getByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
    await deal.seller.goto(`/dispute-report?paymentId=${paymentId}`)
    await expect(deal.seller.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  })

  test('a payment that is not in escrow says so', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await start(deal)
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await expect(buyer.getByRole('heading', { name: 'Not in escrow' })).toBeVisible()
    await hold(deal)
    await buyer.request.post(`/api/payments/${paymentId}/confirm-delivery`)
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await expect(buyer.getByText('has been released to the seller')).toBeVisible()
  })

  test('what was disputed in another tab is not filed again', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    // With no news from the server, the page does not know.
    await buyer.route('**/api/events', (route) => route.fulfill({ status: 204 }))
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await complain(buyer)
    await buyer.request.post('/api/initiate-dispute', { data: { paymentId, reason: 'First' } })
    await submit(buyer)
    await expect(toast(buyer)).toContainText('Failed to submit dispute. Please try again.')
    await expect(buyer.getByRole('heading', { name: 'Already in dispute' })).toBeVisible()
    await buyer.getByRole('link', { name: 'View Dispute' }).click()
    await expect(buyer.getByRole('region', { name: 'What it is about' })).toContainText('First')
  })

  test('a server that does not answer leaves the form as it was', async ({ as, given }) => {
    const deal = await agree({ as, given })
    const { buyer } = deal
    const { paymentId } = await hold(deal)
    await buyer.route('**/api/initiate-dispute', (route) => route.fulfill({ status: 404, body: '' }))
    await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await complain(buyer)
    await submit(buyer)
    await expect(toast(buyer)).toContainText('Error')
    await expect(toast(buyer)).toContainText('Failed to submit dispute. Please try again.')
    await expect(buyer.getByLabel('Reason', { exact: true })).toHaveValue('Cracked glass')
  })
})

test.describe('the parties', () => {
  test('both bring their side, and each sees the other’s as it comes', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const { buyer, seller, paymentId } = quarrelled
    await buyer.goto(`/dispute/${paymentId}`)
    await seller.goto('/payments')
    await seller.getByRole('link', { name: 'View Dispute' }).click()
    await expect(seller).toHaveURL(`/dispute/${paymentId}`)
    await expect(seller.getByRole('main')).toContainText('In dispute')
    await expect(seller.getByRole('main')).toContainText('$120.01')
    await expect(seller.getByRole('region', { name: 'What it is about' })).toContainText(
      'The shade is cracked',
    )
    await expect(buyer.getByText('No evidence submitted yet')).toBeVisible()

    await seller.getByLabel('Your side of it').fill('It was whole when I packed it.')
    await seller.getByRole('button', { name: 'Add Statement' }).click()
    const seen = buyer.getByRole('region', { name: 'Evidence' })
    await expect(seen).toContainText('Bob Tester, seller')
    await expect(seen).toContainText('It was whole when I packed it.')

    await addFiles(seller, picture('packed.png'), note('carrier.txt', 'Picked up on Monday'))
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
  })

  test('who has sent five files is told that this is all', async ({ as, given }) => {
    const { seller, paymentId } = await quarrel({ as, given })
    await seller.goto(`/dispute/${paymentId}`)
    await addFiles(seller, ...['1.png', '2.png', '3.png', '4.png', '5.png'].map(picture))
    await seller.getByRole('button', { name: 'Send 5 Files' }).click()
    await seller.getByRole('button', { name: 'Done' }).click()
    await expect(seller.getByText('You have sent all 5 files that fit.')).toBeVisible()
  })

  test('a settlement that one proposes and the other accepts moves the money at once', async ({
    as,
    given,
  }) => {
    const quarrelled = await quarrel({ as, given }, 10_001)
    const { buyer, seller, paymentId } = quarrelled
    await Promise.all([buyer.goto(`/dispute/${paymentId}`), seller.goto(`/dispute/${paymentId}`)])
    await seller.getByRole('button', { name: 'Propose a Settlement' }).click()
    await seller.getByLabel('Or type an amount').fill('100.01')
    await expect(seller.getByText('An amount from $0.01 to $100.00')).toBeVisible()
    await expect(seller.getByRole('button', { name: 'Send Proposal' })).toBeDisabled()
    await seller.getByLabel('Or type an amount').fill('33.33')
    // 66.68 are left: 3 % are 2.00, 2.9 % and 0.30 are 2.23.
    await expect(seller.getByRole('dialog')).toContainText('Platform fee$2.00')
    await expect(seller.getByRole('dialog')).toContainText('Card processing$2.23')
    await expect(seller.getByRole('dialog')).toContainText('$62.45')
    await seller.getByRole('button', { name: 'Send Proposal' }).click()
    await expect(seller.getByText('Waiting for Ada Tester to answer.')).toBeVisible()
    await expect(seller.getByRole('button', { name: /^Accept/ })).toHaveCount(0)

    await expect(buyer.getByText('Bob Tester proposes $33.33 back to you')).toBeVisible()
    await buyer.getByRole('button', { name: 'Accept $33.33' }).click()
    await buyer.getByRole('alertdialog').getByRole('button', { name: 'Accept $33.33' }).click()
    await expect(toast(buyer)).toContainText('Dispute Settled')
    await expect(buyer.getByText('Shared between you')).toBeVisible()
    await expect(seller.getByText('Shared between you')).toBeVisible()
    expect(await outcome(quarrelled)).toEqual({ status: 'resolved_partial', refund: 3333, payout: 6245 })
  })

  test('a proposal that changed while it was read is not accepted', async ({ as, given }) => {
    const { buyer, seller, paymentId } = await quarrel({ as, given }, 10_000)
    const propose = (refundAmount: number) =>
      seller.request.post(`/api/disputes/${paymentId}/settlement`, { data: { refundAmount } })
    await propose(5_000)
    await buyer.goto(`/dispute/${paymentId}`)
    await buyer.getByRole('button', { name: 'Accept $50.00' }).click()
    await propose(1_000)
    await expect(buyer.getByText('Bob Tester proposes $10.00 back to you')).toBeVisible()
    // What was asked stays what was asked.
    await buyer.getByRole('alertdialog').getByRole('button', { name: 'Accept $50.00' }).click()
    await expect(toast(buyer)).toContainText('There is no such proposal any more. Please look again.')
    await expect(buyer.getByRole('button', { name: 'Accept $10.00' })).toBeVisible()
    expect(await statusOf(buyer, paymentId)).toBe('disputed')
  })

  test('the buyer withdraws: back in escrow, and the seller sees it', async ({ as, given }) => {
    const { buyer, seller, paymentId } = await quarrel({ as, given })
    await Promise.all([buyer.goto(`/dispute/${paymentId}`), seller.goto(`/dispute/${paymentId}`)])
    await expect(seller.getByRole('heading', { name: `Dispute #${paymentId}` })).toBeVisible()
    await expect(seller.getByRole('button', { name: 'Withdraw Dispute' })).toHaveCount(0)
    await buyer.getByRole('button', { name: 'Withdraw Dispute' }).click()
    await buyer.getByRole('button', { name: 'Keep It' }).click()
    expect(await statusOf(buyer, paymentId)).toBe('disputed')
    await buyer.getByRole('button', { name: 'Withdraw Dispute' }).click()
    await buyer.getByRole('alertdialog').getByRole('button', { name: 'Withdraw Dispute' }).click()
    await expect(toast(buyer)).toContainText('Dispute Withdrawn')
    await expect(buyer).toHaveURL('/payments')
    await expect(seller.getByRole('heading', { name: 'Dispute not found' })).toBeVisible()
    expect(await statusOf(buyer, paymentId)).toBe('held_in_escrow')
  })

  test('a stranger finds no dispute, and a visitor is asked to sign in', async ({ as, asVisitor, given }) => {
    const { paymentId } = await quarrel({ as, given })
    const stranger = await as(await given.person('Eve'), `/dispute/${paymentId}`)
    await expect(stranger.getByRole('heading', { name: 'Dispute not found' })).toBeVisible()
    const visitor = await asVisitor(`/dispute/${paymentId}`)
    await expect(visitor.getByText('Please log in to view this dispute.')).toBeVisible()
  })
})

test.describe('axe finds nothing serious, and nothing is wider than a phone', () => {
  const still = { reducedMotion: 'reduce' as const }

  test('the form, with files and with what is missing', async ({ as, given }) => {
    const deal = await agree({ as, given }, 12_000, still)
    const { paymentId } = await hold(deal)
    await deal.buyer.goto(`/dispute-report?paymentId=${paymentId}`)
    await deal.buyer.getByLabel('I have evidence').check()
    await addFiles(deal.buyer, picture('crack-with-a-name-that-is-longer-than-any-phone-is-wide-1.png'))
    await submit(deal.buyer)
    await expect(toast(deal.buyer)).toBeVisible()
    await lookInEveryWay(deal.buyer)
  })

  test('the dispute, with evidence and a proposal', async ({ as, given }) => {
    const { buyer, seller, paymentId } = await quarrel({ as, given }, 12_001, still)
    await seller.request.post(`/api/disputes/${paymentId}/answer`, { data: { content: 'Whole when sent' } })
    await seller.request.post(`/api/disputes/${paymentId}/settlement`, { data: { refundAmount: 4_000 } })
    const name = 'letters-with-a-name-that-is-longer-than-any-phone-is-wide-from-1962.txt'
    await seller.request.post(`/api/disputes/${paymentId}/upload-evidence`, {
      multipart: { file: note(name, 'Dear Ada') },
    })
    await buyer.goto(`/dispute/${paymentId}`)
    await expect(buyer.getByRole('button', { name: 'Accept $40.00' })).toBeVisible()
    await lookInEveryWay(buyer)
    await seller.goto(`/dispute/${paymentId}`)
    await seller.getByRole('button', { name: 'Propose Another Amount' }).click()
    await lookInEveryWay(seller)
  })
})
