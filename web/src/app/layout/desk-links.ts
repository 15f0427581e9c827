import type { StaffRole } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { Landmark, Scale, ShieldAlert } from 'lucide-react'

/** The first page of the desk for each role. */
export const deskLinks = {
  admin: { label: 'Admin Disputes', href: paths.admin(), Icon: Scale },
  moderator: { label: 'Moderation', href: paths.adminModeration(), Icon: ShieldAlert },
  finance: { label: 'Manual payouts', href: paths.adminPayouts(), Icon: Landmark },
} as const satisfies Record<StaffRole, unknown>
