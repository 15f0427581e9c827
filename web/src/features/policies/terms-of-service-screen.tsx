import { REVIEW_DAYS, REVIEW_TAGS_MAX } from '@sought/contract/reviews'
import { MarketName } from '../../shared/market/market-name.tsx'
import {
  APPEAL_LENGTH,
  disputeTimes,
  HIGH_VALUE,
  type MarketFigures,
  MINIMUM_AGE,
  PAYOUT_TIME,
  promises,
  useMarketFigures,
} from '../../shared/policies/policy-figures.ts'
import {
  DecisionsLink,
  DisputesLink,
  PaymentsLink,
  PrivacyLink,
  ProfileLink,
  RefundsLink,
  SellerSetupLink,
  SupportLink,
} from './policy-links.tsx'
import { PolicyPage, type PolicySection, PolicyTable } from './policy-page.tsx'

const listSections = ({
  feeExample,
  holdDays,
  holdDaysHighValue,
  offerExpiryDays,
  rates,
}: MarketFigures): readonly PolicySection[] => [
  {
    id: 'who-we-are',
    title: 'Who we are',
    body: (
      <>
        <p>
          <MarketName /> ("we", "us") runs this marketplace. Buyers say what they are looking for; sellers who
          have it make offers. When an offer is accepted and paid, the money is held in escrow until the item
          has been delivered.
        </p>
        <p>
          The sale itself is a contract between the buyer and the seller. We provide the place, arrange the
          escrow and decide disputes about it, but we do not own, inspect or sell the items.
        </p>
        <p>
          By using <MarketName /> you agree to these terms, and to the <RefundsLink /> and the{' '}
          <DisputesLink /> policy, which are part of them. The <PrivacyLink /> explains what we do with
          personal data.
        </p>
      </>
    ),
  },
  {
    id: 'eligibility',
    title: 'Who may use Sought',
    body: (
      <>
        <p>Anyone may browse. To open an account you must:</p>
        <ul>
          <li>be at least {MINIMUM_AGE} years old and able to enter into contracts;</li>
          <li>not have had an account closed by us for breaking these terms;</li>
          <li>not be barred by law from trading or from receiving payments.</li>
        </ul>
        <p>If you act for a business, you confirm that you may bind it.</p>
      </>
    ),
  },
  {
    id: 'accounts',
    title: 'Your account',
    body: (
      <>
        <ul>
          <li>Give your real name and an email address that reaches you, and keep both up to date.</li>
          <li>One person, one account. It is only for you and cannot be sold or lent.</li>
          <li>
            Keep your password to yourself. You are responsible for what is done from your account, unless you
            could not have prevented it.
          </li>
          <li>
            If you think that someone else has access, change your password, which signs out all other
            devices, and write to us.
          </li>
        </ul>
        <p>
          You may sign in with an email address and a password or, where it is offered, with Google. The same
          account buys and sells: you are the buyer of what you ask for and the seller of what you offer.
        </p>
      </>
    ),
  },
  {
    id: 'requests',
    title: 'Posting requests',
    body: (
      <>
        <p>
          A request tells sellers what you want, where, how soon, and what you are willing to pay. It must:
        </p>
        <ul>
          <li>describe something that you really want to buy, and that may legally be sold to you;</li>
          <li>have an honest budget and the right category;</li>
          <li>show only pictures that you may use;</li>
          <li>contain no contact or payment details, which belong in your account.</li>
        </ul>
        <p>
          Requests are public. Posting one is free and does not oblige you to buy. You may edit it, close it
          and reopen it. While a payment for it is in escrow it is reserved: it cannot be changed and takes no
          offers. It closes automatically once it has been fulfilled.
        </p>
      </>
    ),
  },
  {
    id: 'offers',
    title: 'Offers and acceptance',
    body: (
      <>
        <ul>
          <li>
            An offer is a seller's binding promise to sell the described item at the stated price. Sellers may
            not make offers on their own requests.
          </li>
          <li>
            The price is between 1 and the buyer's maximum budget. If the buyer left the budget open, there is
            no maximum.
          </li>
          <li>
            Offers expire after {offerExpiryDays} days. An expired offer can no longer be accepted; the seller
            may make a new one.
          </li>
          <li>The buyer may accept or reject an offer as long as it is pending. Neither can be undone.</li>
          <li>
            Accepting an offer makes the sale: the buyer must pay the price into escrow, and the seller must
            deliver what was offered.
          </li>
        </ul>
        <p>
          What you agree in Messages about condition, parts and delivery is part of the sale. Sellers should
          not send anything before the payment shows as In Escrow.
        </p>
      </>
    ),
  },
  {
    id: 'prohibited',
    title: 'What is not allowed',
    body: (
      <>
        <h3>Items that may not be asked for or offered</h3>
        <ul>
          <li>anything illegal where the buyer or the seller is, and anything stolen;</li>
          <li>weapons, ammunition and explosives;</li>
          <li>illegal drugs, prescription medicines, tobacco and alcohol;</li>
          <li>counterfeits, and copies that infringe someone's rights;</li>
          <li>live animals, protected species and products made from them, and human remains;</li>
          <li>hazardous or recalled goods;</li>
          <li>money, securities, gift cards, identity papers, accounts and personal data;</li>
          <li>sexual content or services, and anything that exploits or promotes hatred of people.</li>
        </ul>
        <h3>Behaviour that is not allowed</h3>
        <ul>
          <li>
            asking for or taking payment outside <MarketName />
            {';'}
          </li>
          <li>misleading people about an item, a price or who you are;</li>
          <li>false disputes, altered evidence, and ratings that are bought, traded or extorted;</li>
          <li>harassment, threats, discrimination and spam;</li>
          <li>
            using <MarketName /> to launder money or to avoid sanctions;
          </li>
          <li>breaking into accounts, bypassing limits, or scraping the site in a way that slows it down.</li>
        </ul>
        <p>
          These lists are not complete. If you are unsure whether something is allowed, ask <SupportLink />{' '}
          first.
        </p>
      </>
    ),
  },
  {
    id: 'payments-and-escrow',
    title: 'Payments and escrow',
    body: (
      <>
        <p>
          The buyer pays on our checkout, by card or in another way that it offers. The card payment provider
          takes the payment and holds the money; your card details go to the provider and never reach us. By
          paying you also accept the provider's terms.
        </p>
        <ol>
          <li>
            <strong>Payment secured.</strong> The buyer pays exactly the price of the offer and never more.
          </li>
          <li>
            <strong>Held.</strong> While the money is in escrow, neither side can withdraw it.
          </li>
          <li>
            <strong>Released.</strong> It goes to the seller when the buyer confirms delivery, or
            automatically when the escrow period ends and no dispute is open.
          </li>
        </ol>
        <PolicyTable
          caption="The escrow period, counted from the payment"
          columns={['Amount', 'Automatic release']}
          rows={[
            [`Under ${HIGH_VALUE}`, `after ${holdDays} days`],
            [`${HIGH_VALUE} and over`, `after ${holdDaysHighValue} days`],
          ]}
        />
        <p>
          A dispute or a card chargeback stops the clock. Confirming delivery cannot be undone. Money in
          escrow earns no interest.
        </p>
      </>
    ),
  },
  {
    id: 'fees',
    title: 'Fees and payouts',
    body: (
      <>
        <p>
          Posting, browsing, messages and offers are free. When money is released, two fees are taken from the
          seller's amount. The buyer pays none.
        </p>
        <PolicyTable
          caption="Fees taken from the seller's amount"
          columns={['Fee', 'How much']}
          rows={[
            ['Platform fee', rates.platform],
            ['Card processing fee', rates.card],
          ]}
        />
        <p>
          The checkout shows the highest card fee that a seller may have to pay, {rates.cardHighest}. The card
          processing fee above is the one that is charged. Each fee is rounded to the cent, and the seller
          receives the rest. For a sale at {feeExample.amount}, the platform fee is {feeExample.platform} and
          the card processing fee {feeExample.card}, so the seller receives {feeExample.payout}. If part of a
          payment is refunded, fees are taken only on the part that goes to the seller.
        </p>
        <p>
          Released funds reach the seller's bank in {PAYOUT_TIME}. The payouts of new sellers may take longer.
          To be paid, open <SellerSetupLink /> and connect a payout account or save your bank details; until
          then, we keep released money for you. Sellers declare and pay their own taxes.
        </p>
        <p>
          Amounts in our policies are in US dollars. Where the marketplace runs in another currency, the same
          figures apply in that currency.
        </p>
      </>
    ),
  },
  {
    id: 'delivery',
    title: 'Delivery',
    body: (
      <>
        <p>
          Buyer and seller agree how and when the item changes hands. The seller bears the risk until the
          buyer has it, delivers early enough for the buyer to inspect it within the escrow period, and keeps
          proof of delivery.
        </p>
        <p>
          The buyer inspects the item without delay and then either confirms delivery or reports the problem
          in <PaymentsLink />. A buyer who does neither accepts that the money is released automatically.
        </p>
      </>
    ),
  },
  {
    id: 'ratings',
    title: 'Ratings and reviews',
    body: (
      <>
        <p>
          When a deal has ended, the buyer and the seller may each review the other, once for each payment:
          from 1 to 5 stars, with up to {REVIEW_TAGS_MAX} tags and a text. You have {REVIEW_DAYS} days for it.
        </p>
        <p>
          Reviews are blind. Neither of you sees the other's review until both are written or the{' '}
          {REVIEW_DAYS} days are over. Then they are published and cannot be changed, and the person reviewed
          may reply once in public. The buyer's stars count in the seller's rating at once, the seller's when
          they are published.
        </p>
        <p>
          Reviews must be honest and about that deal. We do not change them to please anyone, but we remove
          those that break these terms. Their stars still count.
        </p>
      </>
    ),
  },
  {
    id: 'safety',
    title: 'Reporting, blocking and scam warnings',
    body: (
      <>
        <p>
          You can report a request, a message, a profile, a review or a picture. Choose Report next to it and
          say what is wrong. A person looks at every report. We do not tell anyone who reported them.
        </p>
        <p>
          You can block a person. You two then cannot write or make offers to each other, and get no
          notifications about each other. Deals that are already paid continue. You can end a block at any
          time in <ProfileLink />.
        </p>
        <p>
          Software reads messages for signs of fraud, such as requests to pay outside <MarketName />, and
          warns the recipient. Messages with strong signs are shown to our moderators. The software removes
          nothing and restricts nobody: people decide.
        </p>
      </>
    ),
  },
  {
    id: 'disputes',
    title: 'Disputes and refunds',
    body: (
      <>
        <p>
          Talk to each other first. If that does not help, a dispute may be filed while the money is in escrow
          and until {disputeTimes.filingWindow} from delivery confirmation or auto-release. We hear both sides
          and decide whether the money is refunded, released or split, and both sides accept that we move the
          money in escrow accordingly.
        </p>
        <p>
          <DisputesLink /> sets out the steps, the times and the right to appeal; the <RefundsLink /> says
          when money goes back. Neither limits your right to go to court.
        </p>
      </>
    ),
  },
  {
    id: 'content',
    title: 'Your content',
    body: (
      <>
        <p>
          What you write and upload stays yours. You give us a worldwide, non-exclusive, royalty-free licence
          to store, show, resize and translate it, only in order to run and present the marketplace. For
          public content the licence ends when you or we remove it, apart from copies that other users or the
          law require us to keep.
        </p>
        <p>
          You confirm that you may share it. If something on <MarketName /> infringes your rights, write to{' '}
          <SupportLink /> with the address of the page and the right it infringes. We will look into it
          promptly.
        </p>
      </>
    ),
  },
  {
    id: 'suspension',
    title: 'Moderation, suspension and closing',
    body: (
      <>
        <p>
          When these terms are broken, when there is a risk of fraud or harm, or when the law requires it, our
          moderators may take one of these measures. They are no stricter than necessary.
        </p>
        <PolicyTable
          caption="What our moderators can do"
          columns={['Measure', 'What it means']}
          rows={[
            ['Removal', 'Nobody sees the content any more. A request is closed; deals about it continue.'],
            ['Warning', 'We tell you what was wrong. Nothing else changes.'],
            [
              'Restriction',
              'You cannot post requests, make offers or start conversations, until a date or permanently.',
            ],
            [
              'Suspension',
              'You can read, finish open deals, receive your money, export your data and appeal, and nothing else, until a date or permanently. Your open requests are closed and your pending offers end.',
            ],
          ]}
        />
        <p>
          You receive the reason of every decision, and find all of them in <DecisionsLink />. You may appeal
          once against each, with up to {APPEAL_LENGTH} characters. A moderator who did not make the decision,
          or an admin, reviews it and answers you. If we were wrong, we undo the decision.
        </p>
        <p>
          Open payments are completed under these terms. Money in escrow is never forfeited to us: it goes to
          the buyer or the seller.
        </p>
        <p>
          You may delete your account in <ProfileLink /> at any time, except while one of your payments or
          payouts is still open. The <PrivacyLink /> says what is then erased and what is kept.
        </p>
      </>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <>
        <p>
          We run <MarketName /> with reasonable care, but cannot promise that it is always available or free
          of errors. We are not responsible for the quality, safety or legality of items, or for what buyers
          and sellers do or fail to do.
        </p>
        <p>
          As far as the law allows, we are not liable for indirect loss or lost profit, and our whole
          liability to you is limited to the greater of the amount of the transaction concerned and the fees
          that we earned from your sales in the {promises.liabilityMonths} before.
        </p>
        <p>
          Nothing limits liability for intent, gross negligence, fraud, death or personal injury, or the
          rights that consumers have by law. We are always responsible for handling money in escrow as these
          terms say.
        </p>
      </>
    ),
  },
  {
    id: 'law',
    title: 'Governing law',
    body: (
      <p>
        These terms follow the law of the country in which <MarketName /> is established, and its courts have
        jurisdiction. If you are a consumer, you keep the protection of the mandatory law of the country you
        live in, and may sue and be sued there. If one clause is invalid, the others remain in effect.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        We may change these terms, for instance when the service or the law changes. We announce important
        changes at least {promises.noticeOfChanges} before they apply. If you do not agree, you may close your
        account before then. A sale follows the terms in force when its offer was accepted.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Write to <SupportLink />, at any time. For a problem with a transaction, <DisputesLink /> is the
        quickest way.
      </p>
    ),
  },
]

export function TermsOfServiceScreen() {
  return (
    <PolicyPage
      policy="terms_of_service"
      title="Terms of Service"
      summary="What we promise you, and what you promise us and each other. In short: be honest, keep payments on Sought, deliver what you offer, and leave the money in escrow until then."
      sections={listSections(useMarketFigures())}
    />
  )
}
