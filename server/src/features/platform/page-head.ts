import { previewPaths, type RouteName, routes } from '@sought/contract/paths'
import type { PageHead } from '../../platform/page-head.ts'

const pages: Partial<Record<RouteName, readonly [title: string, description: string]>> = {
  termsOfService: ['Terms of Service', 'The rules for buying and selling on Sought.'],
  privacyPolicy: ['Privacy Policy', 'What Sought stores about you, why, and how you can delete it.'],
  refundPolicy: ['Refund Policy', 'When buyers on Sought get their money back, and how long it takes.'],
  disputeResolution: ['Dispute Resolution', 'What happens when a delivery on Sought goes wrong.'],
  help: ['Help', 'Answers about requests, offers, payments, deliveries and accounts on Sought.'],
}

/** The metadata of the policies and the help page. */
export function textPageHead(name: RouteName | null, { publicUrl }: { publicUrl: string }): PageHead | null {
  const page = name && pages[name]
  if (!page) return null
  const [title, description] = page
  return { title, description, url: publicUrl + routes[name], imageUrl: publicUrl + previewPaths.default }
}
