import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

export interface Step {
  title: string
  text: ReactNode
}

const columns = { 3: 'md:grid-cols-3', 4: 'sm:grid-cols-2 lg:grid-cols-4' } as const

export interface StepsProps {
  steps: readonly Step[]
  /** One below the other, at every width. */
  stacked?: boolean | undefined
  headingLevel?: 'h2' | 'h3' | 'h4' | undefined
  className?: string | undefined
}

/** Three or four numbered steps that explain how something works. */
export function Steps({ steps, stacked = false, headingLevel: Heading = 'h3', className }: StepsProps) {
  return (
    <ol
      className={classNames(
        'grid gap-x-5 gap-y-6',
        !stacked && columns[steps.length === 4 ? 4 : 3],
        className,
      )}
    >
      {steps.map((step, index) => (
        <li
          key={step.title}
          className="grid grid-cols-[auto_1fr] items-start gap-x-4 border-line-strong border-t pt-4"
        >
          <span
            aria-hidden="true"
            className="font-display font-strong text-accent text-heading tabular-nums leading-none"
          >
            {index + 1}
          </span>
          <div className="min-w-0">
            <Heading className="font-strong">{step.title}</Heading>
            <p className="mt-1 text-ink-soft">{step.text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
