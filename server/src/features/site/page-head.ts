import { previewPaths, type RouteName, routes } from '@sought/contract/paths'
import type { PageHead, Site } from '../../pages/page-head.ts'

const pages: Partial<Record<RouteName, readonly [title: string, describe: (marketName: string) => string]>> =
  {
    termsOfService: ['Terms of Service', (name) => `The rules for buying and selling on ${name}.`],
    privacyPolicy: [
      'Privacy Policy',
      (name) => `What ${name} stores about you, why, and how you can delete it.`,
    ],
    refundPolicy: [
      'Refund Policy',
      (name) => `When buyers on ${name} get their money back, and how long it takes.`,
    ],
    disputeResolution: [
      'Dispute Resolution',
      (name) => `What happens when a delivery on ${name} goes wrong.`,
    ],
    help: ['Help', (name) => `Answers about requests, offers, payments, deliveries and accounts on ${name}.`],
  }

/** The metadata of the policies and the help page. */
export function textPageHead(name: RouteName | null, { publicUrl, market }: Site): PageHead | null {
  const page = name && pages[name]
  if (!page) return null
  const [title, describe] = page
  return {
    title,
    description: describe(market.name),
    url: publicUrl + routes[name],
    imageUrl: publicUrl + previewPaths.default,
  }
}
