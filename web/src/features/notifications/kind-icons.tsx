import type { NotificationKind } from '@sought/contract/notification-kinds'
import {
  ArrowLeftRight,
  Bookmark,
  Check,
  Hourglass,
  LifeBuoy,
  LockKeyhole,
  type LucideIcon,
  MessagesSquare,
  PackageCheck,
  Scale,
  Star,
  Tag,
  Wallet,
  X,
} from 'lucide-react'

/** Shown instead of an avatar for notifications that no person caused. */
export const kindIcons = {
  message: MessagesSquare,
  offer_made: Tag,
  offer_accepted: Check,
  offer_rejected: X,
  offer_countered: ArrowLeftRight,
  request_reserved: Bookmark,
  payment_held: LockKeyhole,
  delivery_confirmed: PackageCheck,
  funds_released: Wallet,
  escrow_ending: Hourglass,
  dispute_opened: Scale,
  dispute_answered: Scale,
  dispute_ruled: Scale,
  rating_received: Star,
  support: LifeBuoy,
} as const satisfies Record<NotificationKind, LucideIcon>
