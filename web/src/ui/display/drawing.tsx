import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

/*
 * Illustrations for empty and error states. All use the same colours: ink outlines, paper fills, and one green accent
 * each.
 */
const drawings = {
  /** A noticeboard with an empty place. */
  board: (
    <>
      <rect x="10" y="14" width="140" height="92" rx="3" className="fill-sunken" />
      <path d="M22 30h34v44H22z" className="fill-paper" />
      <path d="M22 38h34M28 48h22M28 56h22M28 64h12" className="stroke-line-strong" />
      <path d="M104 34h34v34h-34z" className="fill-paper" />
      <path d="M104 42h34M110 51h22M110 59h14" className="stroke-line-strong" />
      <path d="M64 42h34v46H64z" strokeDasharray="4 4" />
      <circle cx="81" cy="42" r="5" className="fill-accent stroke-none" />
      <circle cx="39" cy="30" r="2.5" className="fill-ink stroke-none" />
      <circle cx="121" cy="34" r="2.5" className="fill-ink stroke-none" />
      <path d="M10 14h140v92H10z" />
    </>
  ),
  /** Two speech bubbles. */
  letters: (
    <>
      <path d="M16 22h84v52H52L36 90V74H16z" className="fill-paper" />
      <path d="M30 38h56M30 48h56M30 58h30" className="stroke-line-strong" />
      <path d="M74 60h70v42h-14v14l-14-14H74z" className="fill-accent-wash" />
      <circle cx="96" cy="81" r="3" className="fill-accent stroke-none" />
      <circle cx="109" cy="81" r="3" className="fill-accent stroke-none" />
      <circle cx="122" cy="81" r="3" className="fill-accent stroke-none" />
    </>
  ),
  /** A parcel with a label. */
  parcel: (
    <>
      <path d="M28 44 80 24l52 20v50l-52 20-52-20z" className="fill-paper" />
      <path d="M28 44l52 20 52-20M80 64v50" />
      <path d="M54 34l52 20v18l-10-3-10 6V62L34 42" className="fill-sunken stroke-none" />
      <path d="M54 34l52 20v18l-10-3-10 6V61.5L33.5 42" />
      <path d="M40 74l10-6 18 7v14l-18-7z" className="fill-accent stroke-accent" />
      <circle cx="50" cy="75" r="1.8" className="fill-paper stroke-none" />
      <path d="M50 75c-12 2-20 10-30 4" className="stroke-accent" />
    </>
  ),
  /** A magnifying glass over an empty card. */
  lens: (
    <>
      <path d="M26 20h80v62H26z" className="fill-paper" />
      <path d="M26 34h80" className="stroke-line-strong" />
      <path d="M38 48h28M38 58h18M38 68h22" className="stroke-line-strong" />
      <circle cx="96" cy="66" r="26" className="fill-accent-wash" />
      <path d="M115 85l21 21" strokeWidth="6" strokeLinecap="round" className="stroke-accent" />
      <path d="M82 60a16 16 0 0 1 12-10" className="stroke-accent" />
    </>
  ),
  /** The torn corner of a notice on its pin. */
  torn: (
    <>
      <path d="M46 18h68v28l-9 6-8-5-10 8-9-7-8 9-9-6-8 6-7-5z" className="fill-paper" />
      <path d="M46 28h68" className="stroke-line-strong" />
      <path d="M56 37h30" className="stroke-line-strong" />
      <circle cx="80" cy="20" r="5" className="fill-accent stroke-none" />
      <path d="M58 84l8-5 9 6 8-8 10 7 9-6 9 5 5 27-54 6z" className="fill-paper" />
      <path d="M66 97l34-4M67 106l22-2" className="stroke-line-strong" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type DrawingName = keyof typeof drawings

export function Drawing({ name, className }: { name: DrawingName; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 160 120"
      aria-hidden="true"
      fill="none"
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
      className={classNames('h-auto w-40 stroke-ink', className)}
    >
      {drawings[name]}
    </svg>
  )
}
