import { TooltipProvider } from '../../ui/overlays/tooltip.tsx'
import { Actions } from './actions.tsx'
import { Displays } from './displays.tsx'
import { Feedback } from './feedback.tsx'
import { Fields } from './fields.tsx'
import { Foundations } from './foundations.tsx'

/** Every component of the design system in every state, for developers. */
export function DevUiScreen() {
  return (
    <TooltipProvider>
      <title>Components · Sought</title>
      <div className="mx-auto max-w-board px-4 py-10 sm:px-6 md:py-14">
        <h1 className="mb-10 font-display font-strong text-display tracking-[-0.02em]">Components</h1>
        <Displays />
        <Actions />
        <Fields />
        <Feedback />
        <Foundations />
      </div>
    </TooltipProvider>
  )
}
