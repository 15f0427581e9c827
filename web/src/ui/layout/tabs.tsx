import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '../base/class-names.ts'

export interface Tab {
  value: string
  label: ReactNode
  content: ReactNode
}

export interface TabsProps {
  /** The name of the tab list for screen readers. */
  label: string
  tabs: readonly Tab[]
  value?: string | undefined
  onValueChange?: ((value: string) => void) | undefined
  className?: string | undefined
}

export function Tabs({ label, tabs, value, onValueChange, className }: TabsProps) {
  const [ownValue, setOwnValue] = useState(tabs[0]?.value ?? '')
  const open = value ?? ownValue
  const list = useRef<HTMLDivElement>(null)
  // On phones the open tab may be outside of the scrollable row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is opened.
  useEffect(() => {
    const end = list.current?.querySelector('[data-state=active]')?.getBoundingClientRect().right ?? 0
    const hidden = end - (list.current?.getBoundingClientRect().right ?? 0)
    if (hidden > 0) list.current?.scrollBy({ left: hidden + 16 })
  }, [open])
  return (
    <Radix.Root
      className={classNames('min-w-0', className)}
      value={open}
      onValueChange={onValueChange ?? setOwnValue}
    >
      <Radix.List
        ref={list}
        aria-label={label}
        className="scroll-hint flex gap-6 overflow-x-auto max-sm:gap-3.5 border-line border-b [scrollbar-width:none] max-sm:-mx-4 max-sm:px-4"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={
              '-mb-px min-h-12 shrink-0 border-transparent border-b-2 px-0.5 text-ink-soft transition-colors duration-150 hover:text-ink ' +
              'focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-strong data-[state=active]:text-ink'
            }
          >
            {/* A hidden bold copy reserves the width, so that the tab does not change its size when it is selected. */}
            <span className="grid justify-items-center">
              <span className="col-start-1 row-start-1">{tab.label}</span>
              <span aria-hidden="true" className="invisible col-start-1 row-start-1 font-strong">
                {tab.label}
              </span>
            </span>
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="rounded-card pt-6">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
