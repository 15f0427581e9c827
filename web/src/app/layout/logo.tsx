import { useMarket } from '../../shared/market/market.ts'
import { classNames } from '../../ui/base/class-names.ts'

/** A price tag facing left, because here buyers name the price. The favicon is the same drawing. */
function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <path
        d="M11.5 4H27a1.5 1.5 0 0 1 1.5 1.5v21A1.5 1.5 0 0 1 27 28H11.5a2 2 0 0 1-1.6-.8L2.7 17.2a2 2 0 0 1 0-2.4L9.9 4.8a2 2 0 0 1 1.6-.8Z"
        className="fill-accent"
      />
      <circle cx="9.6" cy="16" r="1.9" className="fill-ground" />
      <path
        d="M22.3 12.1c-.5-1.5-1.7-2.3-3.4-2.3-2 0-3.4 1.1-3.4 2.8 0 1.8 1.4 2.5 3.5 3.1 2.3.700 3.9 1.5 3.9 3.6 0 1.9-1.6 3.1-3.9 3.1-2.1 0-3.5-1-4-2.7"
        fill="none"
        strokeWidth="2.2"
        strokeLinecap="round"
        className="stroke-accent-ink"
      />
    </svg>
  )
}

export function Logo({ className }: { className?: string | undefined }) {
  const { name, logoUrl } = useMarket()
  if (logoUrl) {
    return (
      <img
        src={logoUrl}
        alt={name}
        // All logos get the same space, so that nothing moves when the picture has loaded.
        width={144}
        height={36}
        className={classNames('h-9 w-36 object-contain object-left', className)}
      />
    )
  }
  return (
    <span className={classNames('inline-flex max-w-full items-center gap-2 text-ink', className)}>
      <LogoMark className="size-7.5 shrink-0" />
      <span className="-my-1 translate-y-[0.05em] truncate py-1 font-display font-strong text-title leading-none tracking-[-0.015em]">
        {name}
      </span>
    </span>
  )
}
