import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

const DELAY_MS = 700

/** Shares the delay: once one tooltip is open, the next ones open immediately. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={DELAY_MS}>{children}</Radix.Provider>
}

export interface TooltipProps {
  text: string
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined
  /** The control that it explains. */
  children: ReactElement
}

export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-appear [overflow-wrap:anywhere] rounded-control bg-ink px-2.5 py-1.5 font-strong text-fine text-ground shadow-lift"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
