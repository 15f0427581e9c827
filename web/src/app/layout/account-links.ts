import type { StaffRole } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import {
  Bookmark,
  ClipboardList,
  HandCoins,
  Landmark,
  LifeBuoy,
  Scale,
  ShieldAlert,
  UserRound,
} from 'lucide-react'

/* The links of the account menu and of the menu of small screens. */

export const activityLinks = [
  { label: 'My Requests', href: paths.myRequests(), Icon: ClipboardList },
  { label: 'My Offers', href: paths.myOffers(), Icon: HandCoins },
  { label: 'Saved Searches', href: paths.savedSearches(), Icon: Bookmark },
]

export const accountLinks = [
  { label: 'Profile', href: paths.profile(), Icon: UserRound },
  { label: 'Help', href: paths.help(), Icon: LifeBuoy },
]

/** The first page of the desk for each role. */
export const deskLinks = {
  admin: { label: 'Admin Disputes', href: paths.admin(), Icon: Scale },
  moderator: { label: 'Moderation', href: paths.adminModeration(), Icon: ShieldAlert },
  finance: { label: 'Manual payouts', href: paths.adminPayouts(), Icon: Landmark },
} as const satisfies Record<StaffRole, unknown>
