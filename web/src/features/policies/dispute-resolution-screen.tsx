import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { MarketName } from '../../shared/market/market-name.tsx'
import {
  disputeTimes,
  EVIDENCE_MAX_SIZE,
  HIGH_VALUE,
  type MarketFigures,
  useMarketFigures,
  WITHDRAWAL_HOLD_HOURS,
} from '../../shared/policies/policy-figures.ts'
import { HomeLink, PaymentsLink, RefundsLink, SupportLink, TermsLink } from './policy-links.tsx'
import { PolicyPage, type PolicySection, PolicyTable } from './policy-page.tsx'

const listSections = ({ holdDays, holdDaysHighValue }: MarketFigures): readonly PolicySection[] => [
  {
    id: 'when-buyers-should-file',
    title: 'When buyers should file',
    body: (
      <>
        <p>File a dispute when you have paid and the seller has not kept a promise:</p>
        <ul>
          <li>the item has not arrived by the date you agreed;</li>
          <li>it is not what the offer described, or it is the wrong item;</li>
          <li>it arrived damaged, incomplete or not working properly;</li>
          <li>you have good reason to think that it is counterfeit;</li>
          <li>the seller has stopped answering.</li>
        </ul>
        <p>
          Changing your mind about an item that is exactly as agreed is no reason for a dispute. The{' '}
          <RefundsLink /> says what is.
        </p>
      </>
    ),
  },
  {
    id: 'when-sellers-should-file',
    title: 'When sellers should file',
    body: (
      <>
        <p>We hear sellers as fully as buyers. Bring a case to us when:</p>
        <ul>
          <li>the buyer says that nothing arrived, and you can show that it did;</li>
          <li>the buyer asks for more than the offer you both agreed;</li>
          <li>the buyer sends back a different item, or the same one used or broken;</li>
          <li>
            the buyer threatens you with a bad rating, or tries to move the payment off <MarketName />
            {';'}
          </li>
          <li>you suspect that a payment or an account is fraudulent.</li>
        </ul>
        <p>
          You do not need to file just because a buyer forgets to confirm: the money is released to you
          automatically when the escrow period ends. If the buyer has already opened a dispute, answer that
          one.
        </p>
      </>
    ),
  },
  {
    id: 'process',
    title: 'The process in six steps',
    body: (
      <ol className="grid gap-y-3">
        <li>
          <h3 className="mt-0">Direct communication</h3>
          <p>
            Write to the other person in Messages first, say what is wrong and how it could be fixed, and give
            them {disputeTimes.directContact} to answer. Most problems are solved here. Do not wait if the
            escrow period is about to end: file, and keep talking.
          </p>
        </li>
        <li>
          <h3 className="mt-0">File a dispute</h3>
          <p>
            If that does not solve it, file the dispute and attach your evidence. This stops the release: the
            money stays in escrow until the case is decided or withdrawn.
          </p>
        </li>
        <li>
          <h3 className="mt-0">Initial review</h3>
          <p>
            Within {disputeTimes.initialReview} we read the case, check that it is complete, and mark it as
            under review or ask for what is missing.
          </p>
        </li>
        <li>
          <h3 className="mt-0">Investigation</h3>
          <p>
            Over {disputeTimes.investigation} we compare the request, the offer, the messages and the evidence
            of both sides. The other party can answer in writing and add their own files.
          </p>
        </li>
        <li>
          <h3 className="mt-0">Resolution decision</h3>
          <p>
            We decide within {disputeTimes.decision} of filing, and tell both parties what we decided and why.
          </p>
        </li>
        <li>
          <h3 className="mt-0">Implementation</h3>
          <p>
            We process the funds as the decision says in {disputeTimes.funds}. After that, the bank or card
            company needs its own time: see the <RefundsLink />.
          </p>
        </li>
      </ol>
    ),
  },
  {
    id: 'filing-window',
    title: 'How long you have to file',
    body: (
      <>
        <p>
          You may file at any time while the money is in escrow, and until {disputeTimes.filingWindow} from
          delivery confirmation or auto-release. After that the sale is final.
        </p>
        <p>
          File as early as you can. Escrow lasts {holdDays} days from payment, or {holdDaysHighValue} days for
          items of {HIGH_VALUE} and over. While it lasts we hold the money and can return it ourselves. Once
          it has been released we can only ask the seller to return it, so inspect the item before you
          confirm.
        </p>
      </>
    ),
  },
  {
    id: 'timeline',
    title: 'Timeline',
    body: (
      <>
        <PolicyTable
          caption="The usual case"
          columns={['Step', 'Time']}
          rows={[
            ['Direct communication', disputeTimes.directContact],
            ['Filing window', `${disputeTimes.filingWindow} from delivery confirmation or auto-release`],
            ['Initial review', `within ${disputeTimes.initialReview}`],
            ['Investigation', disputeTimes.investigation],
            ['Resolution decision', `within ${disputeTimes.decision}`],
            ['Fund processing', disputeTimes.funds],
          ]}
        />
        <PolicyTable
          caption="Complex cases, which may take longer"
          columns={['Case', 'Time']}
          rows={[
            [`High-value cases (${HIGH_VALUE} and over)`, `up to ${disputeTimes.highValue}`],
            ['Multi-party cases', `up to ${disputeTimes.multiParty}`],
            ['Fraud cases', `up to ${disputeTimes.fraud}`],
          ]}
        />
        <h3>Fast-track</h3>
        <p>
          Clear cases are resolved {disputeTimes.fastTrack}: when both of you agree on the outcome, when the
          seller accepts the claim, or when the evidence leaves no doubt, such as a parcel that the carrier
          reports as lost.
        </p>
      </>
    ),
  },
  {
    id: 'evidence',
    title: 'Evidence that helps',
    body: (
      <>
        <p>A good decision needs good evidence. What helps most:</p>
        <ul>
          <li>
            <strong>Photographs</strong> of the item, the fault, the label and the packaging, in good light;
          </li>
          <li>
            <strong>Messages</strong> in which you agreed what was to be delivered, and when;
          </li>
          <li>
            <strong>Proof of delivery</strong>: tracking number, carrier's record, signature, or a note of
            where and when you met;
          </li>
          <li>
            <strong>Documents</strong>: receipts, invoices, serial numbers, certificates, a repair shop's or
            expert's opinion.
          </li>
        </ul>
        <p>
          Each party may attach up to {EVIDENCE_MAX_FILES} files of at most {EVIDENCE_MAX_SIZE} each: images,
          PDF, Word documents (.doc, .docx) or plain text (.txt). Add a short description to each file.
        </p>
        <p>
          Send files as they are, without edits, and cover what we do not need, such as card numbers or other
          people's names. Altered evidence and false claims may lead to account suspension.
        </p>
      </>
    ),
  },
  {
    id: 'outcomes',
    title: 'Possible outcomes',
    body: (
      <>
        <PolicyTable
          caption="What a decision can say"
          columns={['Outcome', 'What happens to the money']}
          rows={[
            ['Full refund', 'Everything goes back to the buyer. The seller pays no fees.'],
            [
              'Partial refund',
              'The buyer gets back the amount we decide. The rest, minus fees, goes to the seller.',
            ],
            ['Release to the seller', 'The seller is paid as if delivery had been confirmed.'],
            [
              'Split',
              "Each side gets half. If the amount is odd, the buyer gets the extra cent. Fees apply to the seller's half.",
            ],
            [
              'More information requested',
              'No money moves yet. We tell both parties what we need, and the money stays in escrow.',
            ],
          ]}
        />
        <p>
          The buyer may also withdraw a dispute that has not been decided, for example because the seller has
          sent a replacement. The money then stays in escrow for the rest of the original period, and for at
          least {WITHDRAWAL_HOLD_HOURS} hours.
        </p>
      </>
    ),
  },
  {
    id: 'prevention',
    title: 'Preventing disputes',
    body: (
      <>
        <h3>If you are buying</h3>
        <ul>
          <li>Write in the request what matters to you: model, size, condition, what must be included.</li>
          <li>Ask for photographs, and look at the seller's rating, before you accept an offer.</li>
          <li>Agree on how it is delivered and by when, well within the escrow period.</li>
          <li>Open the parcel and try the item before you confirm delivery.</li>
        </ul>
        <h3>If you are selling</h3>
        <ul>
          <li>Describe the item as it is, faults included, and send your own photographs.</li>
          <li>Offer only what you have and can deliver in time.</li>
          <li>Pack well, send with tracking, and share the number.</li>
          <li>Answer quickly, especially when something goes wrong.</li>
        </ul>
        <p>
          Both of you: keep every agreement in Messages and every payment on <MarketName />. What happened
          elsewhere is hard to prove, and escrow does not protect it.
        </p>
      </>
    ),
  },
  {
    id: 'appeals',
    title: 'Appeals',
    body: (
      <>
        <p>
          If you think that a decision is wrong, either party may appeal once, within{' '}
          {disputeTimes.appealWindow} of the ruling. Write to <SupportLink /> with the dispute number and say
          what is new, or what we overlooked.
        </p>
        <p>
          Someone who did not take part in the first decision reviews the whole case. This takes up to{' '}
          {disputeTimes.appealReview}, and that decision is final on our side.
        </p>
        <p>
          We carry out a decision before the time to appeal has ended. If an appeal changes it, we arrange the
          difference separately with both parties. This does not limit your legal right to go to court or to a
          consumer organisation.
        </p>
      </>
    ),
  },
  {
    id: 'how-to-file',
    title: 'How to file',
    body: (
      <>
        <h3>As the buyer</h3>
        <ol>
          <li>
            Open <PaymentsLink /> and find the transaction.
          </li>
          <li>
            Choose <strong>Report Problem</strong> or <strong>File Dispute</strong> next to it. Some screens
            call the same action <strong>Report Issue</strong>.
          </li>
          <li>Choose what went wrong, tell us what happened, what you have tried, and what you ask for.</li>
          <li>Attach your evidence and submit.</li>
        </ol>
        <h3>As the seller</h3>
        <ol>
          <li>
            If the buyer has filed, open the transaction in <PaymentsLink />, answer in writing and attach
            your evidence. You may answer more than once.
          </li>
          <li>
            If no dispute is open, write to <SupportLink /> with the transaction number and your evidence.
          </li>
        </ol>
        <p>
          If the money has already been released and the filing window is still open, buyers and sellers can
          both write to our support team.
        </p>
      </>
    ),
  },
  {
    id: 'help',
    title: 'Help',
    body: (
      <p>
        You can write to <SupportLink /> at any time. A person reads every question and answers by email and
        in your account. This page is part of our <TermsLink />; go to <PaymentsLink /> to see the status of a
        payment, or back to the <HomeLink />.
      </p>
    ),
  },
]

export function DisputeResolutionScreen() {
  return (
    <PolicyPage
      policy="dispute_resolution"
      title="Dispute Resolution"
      summary="When a sale goes wrong, talk to each other first. If that does not help, file a dispute: the money stays in escrow, we hear both of you, and a person decides."
      sections={listSections(useMarketFigures())}
    />
  )
}
