import type { StaffRole } from '@sought/contract/call'
import { EXPORT_KEPT_DAYS } from '@sought/contract/exports'
import { paths, type RouteName, routes } from '@sought/contract/paths'
import type { PageProps } from '../../../ui/layout/page.tsx'

export type DeskRoute = Extract<RouteName, `admin${string}`>

export const GROUPS = ['Casework', 'Money', 'Market'] as const

interface DeskPage {
  roles: readonly StaffRole[]
  /** Only for pages in the navigation. Others have their own headings. */
  title?: string
  lead?: string
  group?: (typeof GROUPS)[number]
  /** Omitted by pages with the usual width. */
  width?: PageProps['width']
  /** Whether the screen renders `DeskActions`. */
  hasActions?: true
}

/** The pages of the desk in the order of its navigation, and the roles with access to them. */
export const deskPages: Readonly<Record<DeskRoute, DeskPage>> = {
  admin: { roles: ['admin'], title: 'Overview', lead: 'Open work of the team, most urgent first.' },
  adminDisputes: {
    roles: ['admin'],
    title: 'Disputes',
    lead: 'Review and resolve disputes between buyers and sellers.',
    hasActions: true,
    group: 'Casework',
  },
  adminAppeals: {
    roles: ['admin'],
    title: 'Appeals',
    lead: 'Appeals against rulings. An admin who did not make the ruling decides.',
    group: 'Casework',
  },
  adminModeration: {
    roles: ['admin', 'moderator'],
    title: 'Moderation',
    lead: 'Reports, flags and appeals, the most severe first. Opening a case claims it.',
    group: 'Casework',
    width: 'board',
    hasActions: true,
  },
  adminTickets: {
    roles: ['admin'],
    title: 'Tickets',
    lead: 'Questions from users and visitors. Replies are sent by email too.',
    group: 'Casework',
  },
  adminTicket: { roles: ['admin'] },
  adminReplies: {
    roles: ['admin'],
    title: 'Saved replies',
    lead: 'Texts that all admins can insert when they rule on a dispute or ask for information.',
    hasActions: true,
    group: 'Casework',
  },
  adminLookup: {
    roles: ['admin'],
    title: 'Lookup',
    lead: 'Find people, requests and deals. Every search is recorded in the audit log.',
    group: 'Casework',
  },
  adminPerson: { roles: ['admin'] },
  adminDeal: { roles: ['admin'] },
  adminPayouts: {
    roles: ['admin', 'finance'],
    title: 'Manual payouts',
    lead: 'Payouts to sellers who gave bank details. Transfer the money, then mark the payout as paid.',
    group: 'Money',
  },
  adminRefunds: {
    roles: ['admin', 'finance'],
    title: 'Refunds',
    lead: 'Refunds that failed or that the card provider refuses. Send them again, or pay the buyer another way.',
    group: 'Money',
  },
  adminDebts: {
    roles: ['admin', 'finance'],
    title: 'Debts',
    lead: 'What sellers owe the market. It is taken from their next payouts.',
    group: 'Money',
  },
  adminGoodwill: {
    roles: ['admin', 'finance'],
    title: 'Goodwill',
    lead: 'Payments from the platform to a party of a deal. Start one on the page of the deal.',
    group: 'Money',
  },
  adminReconciliation: {
    roles: ['admin'],
    title: 'Reconciliation',
    lead: 'Every night, the card provider’s balance is compared with the ledger to the cent.',
    group: 'Money',
  },
  adminAnalytics: {
    roles: ['admin'],
    title: 'Analytics',
    lead: 'Figures about requests, deals and disputes. Days are in UTC.',
    group: 'Market',
  },
  adminExports: {
    roles: ['admin'],
    title: 'Exports',
    lead: `CSV files for accountants and tax. They are deleted after ${EXPORT_KEPT_DAYS} days.`,
    group: 'Money',
  },
  adminSettings: {
    roles: ['admin'],
    title: 'Settings',
    lead: 'The settings of this market. Every change is recorded.',
    group: 'Market',
  },
  adminDoctor: {
    roles: ['admin'],
    title: 'Doctor',
    lead: 'Checks of this deployment and of the services that it uses, as with npm run doctor.',
    group: 'Market',
  },
  adminAuditLog: {
    roles: ['admin'],
    title: 'Audit log',
    lead: 'Who did what, from where and when. Entries cannot be changed.',
    group: 'Market',
  },
}

const routeNames = Object.keys(deskPages) as DeskRoute[]

export const mayOpen = (role: StaffRole | null, name: DeskRoute) =>
  deskPages[name].roles.some((allowed) => allowed === role)

export interface DeskLink {
  name: DeskRoute
  title: string
  path: string
  group: DeskPage['group']
}

/** The links that the navigation shows to this role. */
export const findDeskLinks = (role: StaffRole | null): DeskLink[] =>
  routeNames
    .filter((name) => mayOpen(role, name))
    .flatMap((name) => {
      const { title, group } = deskPages[name]
      const path = name === 'adminTickets' ? paths.adminTickets({ status: 'open' }) : routes[name]
      return title ? [{ name, title, group, path }] : []
    })
