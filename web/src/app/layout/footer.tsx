import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { TextLink } from '../../shared/navigation/links.tsx'
import { Logo } from './logo.tsx'

const trustFigures = [
  ['100%', 'Buyer Protection'],
  ['7-Day', 'Escrow Hold'],
  ['24/7', 'Support', paths.help()],
  ['Secure', 'Payments'],
] as const

const columns = [
  {
    title: 'Legal & Policies',
    links: [
      ['Terms of Service', paths.termsOfService()],
      ['Privacy Policy', paths.privacyPolicy()],
      ['Refund Policy', paths.refundPolicy()],
      ['Dispute Resolution', paths.disputeResolution()],
    ],
  },
  {
    title: 'For Buyers',
    links: [
      ['Post a request', paths.post()],
      ['Your payments', paths.payments()],
      ['Refunds', paths.refundPolicy()],
      ['Problems and disputes', paths.disputeResolution()],
    ],
  },
  {
    title: 'For Sellers',
    links: [
      ['Browse requests', paths.home()],
      ['Set up payouts', paths.sellerSetup()],
      ['Terms for sellers', paths.termsOfService()],
      ['Answering a dispute', paths.disputeResolution()],
    ],
  },
] as const

export function Footer() {
  return (
    <footer className="mt-20 border-line border-t bg-floor print:hidden">
      <div className="mx-auto max-w-board px-4 sm:px-6">
        <ul className="grid grid-cols-2 gap-x-6 gap-y-8 border-line border-b py-10 md:grid-cols-4">
          {trustFigures.map(([figure, promise, href]) => (
            <li key={promise}>
              <span className="block font-display font-strong text-heading text-accent">{figure}</span>{' '}
              {href ? (
                <TextLink to={href}>{promise}</TextLink>
              ) : (
                <span className="text-ink-soft">{promise}</span>
              )}
            </li>
          ))}
        </ul>
        <div className="grid grid-cols-2 gap-x-6 gap-y-10 py-12 md:grid-cols-3 lg:grid-cols-4">
          <div className="col-span-full grid grid-cols-[minmax(0,1fr)] content-start gap-3 lg:col-span-1">
            <Logo />
            <p className="max-w-column text-ink-soft lg:max-w-60">
              Say what you want and let sellers come to you. Your card is charged when you pay, and the money
              is held in escrow until delivery.
            </p>
          </div>
          {columns.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2 className="font-strong">{title}</h2>
              <ul className="mt-2">
                {links.map(([label, href]) => (
                  <li key={label}>
                    <Link
                      href={href}
                      className="inline-flex min-h-9 items-center py-1 leading-snug text-ink-soft decoration-1 underline-offset-4 hover:text-ink hover:underline"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
    </footer>
  )
}
