import { REVIEW_DAYS } from '@sought/contract/reviews'
import { ADDRESS_KEPT_DAYS } from '@sought/escrow/delivery'
import { MarketName } from '../../shared/market/market-name.tsx'
import {
  DEVICE_DAYS,
  MINIMUM_AGE,
  promises,
  retention,
  SESSION_DAYS,
} from '../../shared/policies/policy-figures.ts'
import { DisputesLink, ProfileLink, SupportLink, TermsLink } from './policy-links.tsx'
import { PolicyPage, type PolicySection, PolicyTable } from './policy-page.tsx'

const sections = [
  {
    id: 'who-is-responsible',
    title: 'Who is responsible',
    body: (
      <p>
        <MarketName /> decides why and how the personal data described here is used, and is responsible for
        it. This policy covers the website, the emails we send, and our support. Questions and requests go to{' '}
        <SupportLink />.
      </p>
    ),
  },
  {
    id: 'what-we-collect',
    title: 'What we collect',
    body: (
      <>
        <PolicyTable
          caption="The data we collect"
          columns={['Data', 'What it is']}
          rows={[
            [
              'Account',
              'Name, email address and, unless you use Google, your password, which we store only as a one-way hash. With Google sign-in: the name, email address, picture and identifier that Google gives us.',
            ],
            ['Profile', 'Picture, bio, location and phone number, if you add them; your rating.'],
            [
              'Requests',
              'What you ask for: title, description, category, budget, location, urgency and picture. We remove hidden data, such as where a picture was taken, from pictures you upload.',
            ],
            ['Messages', 'What you and others write to each other, when it was sent and when it was read.'],
            ['Offers', 'Price, message, answer and dates.'],
            [
              'Payments',
              "Amount, status, dates, the two parties, and the payment provider's reference. Card details go directly to the payment provider and never reach us.",
            ],
            [
              'Payouts',
              'The reference of your connected account or, if you enter them, your bank details, which we store encrypted. Afterwards only the last four digits of the account number are shown.',
            ],
            [
              'Delivery',
              `The address that you give for a parcel, which we store encrypted, the carrier, the tracking number, and photos of the parcel. The seller sees the address after you have paid. We erase it ${ADDRESS_KEPT_DAYS} days after the deal has ended. If the market uses a tracking service, it gets the carrier and the tracking number.`,
            ],
            ['Reviews', 'Stars, tags and texts about a deal, and replies to them.'],
            [
              'Reports and blocks',
              'What you report and why, whom you block, reports about you, decisions of our moderators with their reasons, and your appeals.',
            ],
            [
              'Signs of shared accounts',
              'One-way hashes or references of the card that you pay with, the bank account that you are paid to and the browsers that you sign in from. With them we find accounts that belong together.',
            ],
            [
              'Disputes',
              'What you tell us, evidence files and their descriptions, the timeline and the decision.',
            ],
            [
              'Support',
              'What you ask us, our answers and notes about them, and your email address if you ask without an account.',
            ],
            [
              'Technical logs',
              'IP address, browser, pages and times of requests, errors, and failed sign-ins.',
            ],
          ]}
        />
        <p>
          Most of this comes from you; some comes from the people you trade with, the payment provider or
          Google. We do not buy data about you. Without account and payment data we cannot provide the
          service; the rest is optional.
        </p>
      </>
    ),
  },
  {
    id: 'why',
    title: 'Why we use it, and on what legal basis',
    body: (
      <>
        <PolicyTable
          caption="Purposes and legal bases"
          columns={['Purpose', 'Legal basis']}
          rows={[
            [
              'Run your account, requests, messages, offers, payments, payouts and reviews',
              'The contract with you',
            ],
            [
              'Decide disputes and answer support requests',
              'The contract, and our legitimate interest in fair trading',
            ],
            ['Keep records for tax and accounting, and comply with legal orders', 'Legal obligation'],
            [
              'Prevent fraud and abuse, warn of scams, moderate what people post, and keep the service secure',
              'Our legitimate interest, and that of all users, in a safe marketplace',
            ],
            ['Fix errors and improve the service', 'Our legitimate interest in a service that works'],
            ['Send you news, if you have asked for it', 'Your consent, which you may withdraw at any time'],
          ]}
        />
        <p>
          We do not sell personal data or show advertising. Software checks messages for signs of fraud and
          warns the recipient. Disputes, and measures against content and accounts, are decided by people,
          never by software alone.
        </p>
      </>
    ),
  },
  {
    id: 'who-sees-what',
    title: 'Who sees what',
    body: (
      <>
        <PolicyTable
          caption="Your data and who can see it"
          columns={['Who', 'What they see']}
          rows={[
            [
              'Everyone',
              'Your requests, with your name, picture and rating, and your public profile: published reviews with their tags and texts, how many deals you completed, cancelled and lost, your badges and how fast you reply.',
            ],
            [
              'The person you review',
              `Your review, once both of you have written one or ${REVIEW_DAYS} days after the end of the deal. Before that, only that the buyer's stars count.`,
            ],
            [
              'Our moderators',
              'What was reported, with the messages around it, who reported it and why, what you have been reported for before, and accounts that share a card, a bank account or a device with yours.',
            ],
            ['The person you deal with', 'The messages, offers and payments between the two of you.'],
            [
              'Parties to a dispute',
              'That there is a dispute, its reason, and what is submitted in it may be shown to the other party.',
            ],
            [
              'Our admins',
              'Disputes with their evidence, their timeline and the messages between the two parties, your questions to support, the contact details of the people concerned, and what they need to support you. We record who looks at them.',
            ],
            ['Only you', 'Your settings, whom you block, and the status of your payouts.'],
          ]}
        />
        <p>
          Your email address and phone number are shown only to you and to our admins. Passwords are never
          shown, and bank details are used only to pay you. <DisputesLink /> explains what happens in a
          dispute.
        </p>
      </>
    ),
  },
  {
    id: 'processors',
    title: 'Our service providers',
    body: (
      <>
        <p>
          We share only what each of these needs, under a contract that requires them to protect the data:
        </p>
        <PolicyTable
          caption="Service providers"
          columns={['Provider', 'What for']}
          rows={[
            [
              'Payment provider (Stripe)',
              "Takes card payments, holds the money, makes refunds and payouts, checks sellers' identity. For some of this it is responsible itself, under its own policy.",
            ],
            ['Email', 'Delivers the messages we send you.'],
            ['Hosting and storage', 'Runs the service; keeps the database, pictures and evidence files.'],
            [
              'Google sign-in (optional)',
              <>
                Confirms who you are, only if you choose it. Google learns that you sign in to <MarketName />.
              </>,
            ],
          ]}
        />
        <p>
          We also disclose data to authorities and courts when the law requires it, and to a new owner of the
          business, who stays bound by this policy.
        </p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <>
        <p>
          We keep two cookies in your browser, which scripts cannot read. The session cookie keeps you signed
          in, and lasts {SESSION_DAYS} days from your last visit or until you sign out. The device cookie
          recognises your browser at the next sign-in, so that we can warn you about a new one, and lasts{' '}
          {DEVICE_DAYS} days. If you sign in with Google, a third cookie links the answer to your browser and
          expires within minutes. There are no advertising or analytics cookies.
        </p>
        <p>
          On the payment form, the payment provider may set its own cookies to prevent fraud. Google does the
          same on its pages if you sign in there.
        </p>
      </>
    ),
  },
  {
    id: 'retention',
    title: 'How long we keep it',
    body: (
      <>
        <PolicyTable
          caption="Retention"
          columns={['Data', 'Kept for']}
          rows={[
            ['Transaction records', `${retention.transactions}, including disputes about them`],
            ['Support communications', `${retention.support} after the last message`],
            ['Marketing data', `until you object, and at most ${retention.marketing}`],
            ['Account, profile, requests', 'as long as you have an account'],
            [
              'Reports and decisions of our moderators',
              'as long as the account that they are about exists, and after that without a name',
            ],
            ['Technical logs', 'only as long as needed for security and troubleshooting'],
          ]}
        />
        <p>Data that is part of an open dispute or legal case is kept until it has ended.</p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <ul>
          <li>
            <strong>Access and download.</strong> Ask what we hold about you, and receive a copy in a common
            machine-readable format. It contains your reviews, reports, blocks and decisions about you too.
          </li>
          <li>
            <strong>Correct.</strong> Change your details in <ProfileLink />, or ask us to.
          </li>
          <li>
            <strong>Delete.</strong> You can delete your account yourself. The next section says what that
            does.
          </li>
          <li>
            <strong>Object and restrict.</strong> Object to uses that we base on legitimate interests, or ask
            us to pause a use while we look into it.
          </li>
          <li>
            <strong>Withdraw consent</strong> at any time, for the future.
          </li>
          <li>
            <strong>Complain</strong> to the data protection authority where you live.
          </li>
        </ul>
        <p>
          Write to <SupportLink /> while you are signed in. It is free, and we answer within{' '}
          {promises.answerToRights}. We may have to verify your identity.
        </p>
      </>
    ),
  },
  {
    id: 'deletion',
    title: 'Deleting your account',
    body: (
      <>
        <p>
          You find Delete Account in <ProfileLink />. We ask you to confirm that it is you. You cannot delete
          your account while you have a payment in escrow, an open dispute or a pending payout.
        </p>
        <p>
          <strong>Erased:</strong> your name, email address, password, Google identifier, picture, bio,
          location, phone number, bank details, saved address and your conversations with our support team.
          You are signed out on all devices.
        </p>
        <p>
          <strong>Kept:</strong> the transactions you took part in, with their offers, disputes and reviews,
          for the periods above, because the law and the other party need them. They show "Deleted user"
          instead of your name, and so do messages that you sent to others.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <>
        <p>
          Connections are encrypted. Passwords are hashed with a method that resists guessing, and bank
          details are encrypted in the database. Sign-in attempts are limited, changing your password ends
          your other sessions, and only admins and the parties can see a dispute.
        </p>
        <p>
          No system is perfectly safe. If a breach puts your rights at risk, we will inform you and the
          authority as the law requires.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        <MarketName /> is for people of {MINIMUM_AGE} and over. We do not knowingly collect data about anyone
        younger. If you learn of such an account, tell us and we will close it and erase the data.
      </p>
    ),
  },
  {
    id: 'transfers',
    title: 'Transfers to other countries',
    body: (
      <p>
        Buyers, sellers and our providers may be in different countries, so your data may be handled outside
        your own. Where the law requires it, we rely on adequacy decisions or standard contractual clauses,
        and send you a copy if you ask.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        When we change this policy we change the date at the top. We announce important changes at least{' '}
        {promises.noticeOfChanges} before they apply.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        For anything about your data, write to <SupportLink />. For a problem with a sale, see{' '}
        <DisputesLink />; for the rules of the marketplace, our <TermsLink />.
      </p>
    ),
  },
] satisfies readonly PolicySection[]

export function PrivacyPolicyScreen() {
  return (
    <PolicyPage
      policy="privacy_policy"
      title="Privacy Policy"
      summary="We collect only what the marketplace needs, show it only to those who need to see it, and never sell it. This page says what we collect, why, who sees it and how long we keep it."
      sections={sections}
    />
  )
}
