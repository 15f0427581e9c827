import { MarketName } from '../../shared/market/market-name.tsx'
import {
  disputeTimes,
  HIGH_VALUE,
  type MarketFigures,
  promises,
  refundTimes,
  useMarketFigures,
} from '../../shared/policies/policy-figures.ts'
import { DisputesLink, HomeLink, PaymentsLink, SupportLink, TermsLink } from './policy-links.tsx'
import { PolicyPage, type PolicySection, PolicyTable } from './policy-page.tsx'

const listSections = ({ holdDays, holdDaysHighValue }: MarketFigures): readonly PolicySection[] => [
  {
    id: 'buyer-protection',
    title: 'Buyer protection and escrow',
    body: (
      <>
        <p>
          When you pay for an accepted offer, the money does not go to the seller. Our card payment provider
          holds it in escrow, and every payment made through <MarketName /> is protected in this way.
        </p>
        <PolicyTable
          caption="How long escrow protects you, counted from your payment"
          columns={['Amount', 'Protection']}
          rows={[
            [`Items under ${HIGH_VALUE}`, `${holdDays} days`],
            [`Items of ${HIGH_VALUE} and over`, `${holdDaysHighValue} days`],
          ]}
        />
        <p>
          The money goes to the seller when you confirm delivery, or automatically when that period ends and
          nobody has reported a problem. A dispute stops the clock: the money stays where it is until the case
          is decided.
        </p>
      </>
    ),
  },
  {
    id: 'eligibility',
    title: 'When you can get a refund',
    body: (
      <>
        <p>You are eligible for a refund when:</p>
        <ul>
          <li>the item never arrived, or not by the date you agreed;</li>
          <li>it is clearly not what the offer described, or it is the wrong item;</li>
          <li>it arrived damaged, faulty or incomplete;</li>
          <li>it is counterfeit;</li>
          <li>the seller cannot deliver, or has stopped answering;</li>
          <li>you and the seller agree to cancel the sale before the item is shipped;</li>
          <li>the seller does not ship by the date in the offer.</li>
        </ul>
        <p>
          Report it while the money is in escrow, and at the latest {disputeTimes.filingWindow} from delivery
          confirmation or auto-release. While the money is in escrow we can return it ourselves. Once it has
          been released, a refund depends on getting it back from the seller.
        </p>
      </>
    ),
  },
  {
    id: 'process',
    title: 'Process and timeline',
    body: (
      <>
        <ol>
          <li>
            <strong>Write to the seller</strong> in Messages and give them {disputeTimes.directContact} to
            answer.
          </li>
          <li>
            <strong>Report the problem</strong> next to the transaction in <PaymentsLink />, with photographs
            or other evidence.
          </li>
          <li>
            <strong>We review it</strong> within {disputeTimes.initialReview}, and investigate for{' '}
            {disputeTimes.investigation}.
          </li>
          <li>
            <strong>We decide</strong> within {disputeTimes.decision} and tell you both. Clear cases are
            decided {disputeTimes.fastTrack}.
          </li>
          <li>
            <strong>We send the refund</strong> in {disputeTimes.funds}. Your bank then needs the time shown
            under Refund methods.
          </li>
        </ol>
        <p>
          High-value, multi-party and fraud cases may take longer. <DisputesLink /> gives every step, what
          evidence helps, and how to appeal.
        </p>
      </>
    ),
  },
  {
    id: 'types',
    title: 'Types of refund',
    body: (
      <>
        <PolicyTable
          caption="What each refund returns"
          columns={['Refund', 'When', 'What you get back']}
          rows={[
            [
              'Full refund',
              'Nothing arrived, it is counterfeit, or it cannot be used as agreed.',
              'Everything you paid.',
            ],
            [
              'Partial refund',
              'You keep the item, but it is worth less than agreed, or something is missing.',
              'The amount stated in the decision.',
            ],
            [
              'Split',
              'Both sides are partly right, or the facts cannot be established.',
              'Half of what you paid, rounded up to the cent.',
            ],
          ]}
        />
        <p>
          No fee is ever taken from a refund. The seller's fees are counted only on the part, if any, that
          goes to the seller.
        </p>
      </>
    ),
  },
  {
    id: 'special-circumstances',
    title: 'Special circumstances',
    body: (
      <PolicyTable
        caption="Cases with special rules"
        columns={['Case', 'What applies']}
        rows={[
          [
            'Damaged in transit',
            "Keep the item and all its packaging, and photograph both. Until you have the item, the risk is the seller's.",
          ],
          [
            'Counterfeit',
            'You get a full refund. Do not resell the item. We will tell you whether to return it, keep it or hand it in.',
          ],
          [
            'Only part of it arrived',
            'If the rest is coming, agree on a date in Messages and keep an eye on the end of the escrow period. If it is not, ask for a partial refund, or a full one if what arrived is of no use by itself.',
          ],
          [
            'Return and refund',
            'Before you send anything back, agree on the return with the seller or wait for our decision. Use tracking. If the item was not as agreed, the seller pays for the return.',
          ],
          [
            'Replacement',
            'If the seller sends another item, you may withdraw your dispute. Wait until you have checked it.',
          ],
          [
            "Late delivery outside anyone's control",
            'Strikes, storms and customs delays happen. If you still want the item, say so in the dispute: the money stays in escrow in the meantime.',
          ],
          [
            'Card chargebacks',
            'You may always contact your card company. If you do, the release stops and the card company decides. Please come to us first: it is usually quicker, and the same money cannot be refunded twice.',
          ],
        ]}
      />
    ),
  },
  {
    id: 'non-refundable',
    title: 'What is not refunded',
    body: (
      <>
        <ul>
          <li>You changed your mind, or found it cheaper, and the item is as agreed.</li>
          <li>The defect was mentioned in the offer or in Messages before you accepted.</li>
          <li>The damage happened after delivery, or through use, repair or alteration.</li>
          <li>
            You report it more than {disputeTimes.filingWindow} after delivery confirmation or auto-release.
          </li>
          <li>
            You paid outside <MarketName />, so we hold no money that we could return.
          </li>
          <li>The claim is false, or the evidence was made up or altered.</li>
        </ul>
        <p>
          This does not limit any right of return or guarantee that the law of your country gives you against
          the seller.
        </p>
      </>
    ),
  },
  {
    id: 'methods',
    title: 'Refund methods',
    body: (
      <>
        <p>
          A refund goes back to the payment method you used, in the same currency. We cannot send it to
          another card or person.
        </p>
        <PolicyTable
          caption="How long it takes to reach you, once we have sent it"
          columns={['Paid with', 'Time']}
          rows={[
            ['Credit card', refundTimes.card],
            ['Bank account', refundTimes.bank],
            ['Digital wallet', refundTimes.wallet],
          ]}
        />
        <p>
          If the card has expired or been replaced, its bank usually passes the refund on to you. If it has
          not arrived by then, write to us and we will trace it.
        </p>
      </>
    ),
  },
  {
    id: 'avoiding-refunds',
    title: 'Avoiding refunds',
    body: (
      <ul>
        <li>Say in your request exactly what you are looking for, and what you do not want.</li>
        <li>Ask every question, and see photographs, before you accept an offer.</li>
        <li>Read the seller's rating.</li>
        <li>Agree on a delivery date that leaves you time to inspect the item within the escrow period.</li>
        <li>Confirm delivery only when you have the item and have tried it.</li>
        <li>Sellers: describe honestly, pack well, send with tracking, and answer quickly.</li>
      </ul>
    ),
  },
  {
    id: 'support',
    title: 'Support',
    body: (
      <p>
        Write to <SupportLink /> at any time and give us the transaction number. You find it, with the status
        of every payment, in <PaymentsLink />. We answer by email and in your account.
      </p>
    ),
  },
  {
    id: 'updates',
    title: 'Updates to this policy',
    body: (
      <p>
        We may change this policy. The date at the top shows the last change, and we announce important
        changes at least {promises.noticeOfChanges} ahead. A payment follows the policy in force on the day it
        was made. This policy is part of our <TermsLink />. Back to the <HomeLink />.
      </p>
    ),
  },
]

export function RefundPolicyScreen() {
  return (
    <PolicyPage
      policy="refund_policy"
      title="Refund Policy"
      summary="Your money is held in escrow until you have what you paid for. If you do not get it, you get your money back."
      sections={listSections(useMarketFigures())}
    />
  )
}
