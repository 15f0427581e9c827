import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { payIntoEscrow, paymentStatus } from '../support/deals.ts'
import { addFiles, fillInDispute, outcomeOf, readDispute, submitDispute } from '../support/disputes.ts'
import { pdfFile, pictureFile, textFile } from '../support/files.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

test('a buyer files a dispute with three files, both add evidence live, and the buyer withdraws it', {
  tag: '@proof',
}, async ({ createDeal, expectLedger }) => {
  const deal = await createDeal(12_001)
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.goto('/payments')
  await buyer.getByRole('link', { name: 'Report Issue' }).click()
  await expect(buyer).toHaveURL(`/dispute-report?paymentId=${paymentId}`)
  await fillInDispute(buyer)
  await buyer.getByLabel('Attempted resolution').fill('Wrote twice')
  await buyer.getByLabel('Desired outcome').selectOption('partial_refund')
  await buyer.getByLabel('I have evidence').check()
  const long = 'crack-with-a-name-that-is-longer-than-any-phone-is-wide-1.png'
  await addFiles(buyer, pictureFile('crack.png'), pdfFile('invoice.pdf'), pictureFile(long))
  await drop(buyer, 'letters.txt')
  const rows = buyer.getByRole('form', { name: 'Dispute' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'crack.png' }).locator('img')).toBeVisible()
  await buyer.getByLabel('Description of crack.png').fill('Seen from the left')
  await expectAccessible(buyer, 'the dispute form')
  await buyer.getByRole('button', { name: `Remove ${long}` }).click()
  await buyer.getByLabel('About the evidence').fill('All from the day it came')
  await buyer.getByLabel('Additional comments').fill('I would keep it for less')
  await submitDispute(buyer)
  await expect(toast(buyer)).toContainText('Dispute Submitted Successfully')
  await expect(toast(buyer)).toContainText(
    "Dispute submitted with 3 evidence file(s). We'll review your case within 24 hours.",
  )
  await expect(buyer).toHaveURL('/payments')
  await expectFiled(buyer, paymentId)
  await buyer.getByRole('link', { name: 'View Dispute' }).click()
  await expect(buyer).toHaveURL(`/dispute/${paymentId}`)

  await seller.goto('/payments')
  await seller.getByRole('link', { name: 'View Dispute' }).click()
  await expect(seller).toHaveURL(`/dispute/${paymentId}`)
  await expect(seller.getByRole('main')).toContainText('In dispute')
  await expect(seller.getByRole('main')).toContainText('$120.01')
  await expect(seller.getByRole('region', { name: 'Reason' })).toContainText('The shade is cracked')
  await seller.getByLabel('Your statement').fill('It was whole when I packed it.')
  await seller.getByRole('button', { name: 'Add Statement' }).click()
  const seen = buyer.getByRole('region', { name: 'Evidence' })
  await expect(seen).toContainText('Bob Tester, seller')
  await expect(seen).toContainText('It was whole when I packed it.')

  await addFiles(seller, pictureFile('packed.png'), textFile('carrier.txt', 'Picked up on Monday'))
  await seller.getByLabel('Description of packed.png').fill('Four layers of paper')
  await seller.getByRole('button', { name: 'Send 2 Files' }).click()
  const packed = seen.getByRole('img', { name: 'Four layers of paper' })
  await expect(packed).toBeVisible()
  const width = (image: Element) => (image as HTMLImageElement).naturalWidth
  await expect.poll(() => packed.evaluate(width)).toBeGreaterThan(0)
  const downloaded = buyer.waitForEvent('download')
  await seen.getByRole('link', { name: 'Download carrier.txt' }).click()
  expect((await downloaded).suggestedFilename()).toBe('carrier.txt')
  await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText('Statement added')
  await seller.getByRole('button', { name: 'Done' }).click()
  await expect(seller.getByText('Up to 3 files of 10MB each.')).toBeVisible()

  await buyer.getByRole('button', { name: 'Withdraw Dispute' }).click()
  await buyer.getByRole('alertdialog').getByRole('button', { name: 'Withdraw Dispute' }).click()
  await expect(toast(buyer)).toContainText('Dispute Withdrawn')
  await expect(buyer).toHaveURL('/payments')
  await expect(seller.getByRole('heading', { name: 'Dispute not found' })).toBeVisible()
  expect(await paymentStatus(buyer, paymentId)).toBe('held_in_escrow')
  await expectLedger(paymentId, { escrow: 12_001, provider: -12_001 })
})

async function expectFiled(buyer: Page, paymentId: number): Promise<void> {
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
}

async function drop(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((fileName) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['Dear Bob'], fileName, { type: 'text/plain' }))
    return transfer
  }, name)
  await page.getByText('Drop files here, or choose them').dispatchEvent('drop', { dataTransfer })
}

test('an accepted settlement moves the money at once', { tag: '@proof' }, async ({
  createDispute,
  expectLedger,
}) => {
  const disputed = await createDispute(10_001)
  const { buyer, seller, paymentId } = disputed
  const name = 'letters-with-a-name-that-is-longer-than-any-phone-is-wide-from-1962.txt'
  for (const file of [textFile(name, 'Dear Ada'), pictureFile('packed.png')]) {
    await seller.request.post(`/api/disputes/${paymentId}/upload-evidence`, { multipart: { file } })
  }
  await Promise.all([buyer.goto(`/dispute/${paymentId}`), seller.goto(`/dispute/${paymentId}`)])
  await seller.getByRole('button', { name: 'Propose a Settlement' }).click()
  await seller.getByLabel('Or type an amount').fill('50')
  await seller.getByRole('button', { name: 'Send Proposal' }).click()
  await expect(seller.getByText('Waiting for Ada Tester to reply.')).toBeVisible()

  // While the buyer reads it, the seller changes the proposal.
  await buyer.getByRole('button', { name: 'Accept $50.00' }).click()
  await seller.getByRole('button', { name: 'Propose Another Amount' }).click()
  await seller.getByLabel('Or type an amount').fill('33.33')
  // 66.68 are left: 3 % are 2.00, 2.9 % and 0.30 are 2.23.
  await expect(seller.getByRole('dialog')).toContainText('Platform fee$2.00')
  await expect(seller.getByRole('dialog')).toContainText('Card processing$2.23')
  await expect(seller.getByRole('dialog')).toContainText('$62.45')
  await expectAccessible(seller)
  await seller.getByRole('button', { name: 'Send Proposal' }).click()
  await expect(buyer.getByText('Bob Tester proposes to refund $33.33 to you')).toBeVisible()
  // The confirmation still shows the old proposal.
  await buyer.getByRole('alertdialog').getByRole('button', { name: 'Accept $50.00' }).click()
  await expect(toast(buyer)).toContainText(
    'This proposal has changed or was withdrawn. Please reload the page.',
  )
  await expectLedger(paymentId, { escrow: 10_001, provider: -10_001 })

  await expect(buyer.getByRole('button', { name: 'Accept $33.33' })).toBeVisible()
  await expectAccessible(buyer)
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
