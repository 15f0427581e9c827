import { Keyboard } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/forms/button.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { actionLabels, MODERATION_ACTIONS } from './actions.ts'
import { useShortcutSetting } from './shortcuts.ts'

export function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid min-w-6 place-items-center rounded-card border border-line-strong bg-paper px-1.5 font-body text-fine text-ink">
      {children}
    </kbd>
  )
}

const rows: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['j', '↓'], does: 'Next case' },
  { keys: ['k', '↑'], does: 'Previous case' },
  { keys: ['Enter'], does: 'Open and claim the case' },
  { keys: ['x'], does: 'Select the case' },
  { keys: ['Esc'], does: 'Close the case' },
  ...MODERATION_ACTIONS.map((action, index) => ({ keys: [String(index + 1)], does: actionLabels[action] })),
  { keys: ['?'], does: 'Show these keys' },
]

interface ShortcutHelpProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function ShortcutHelp(props: ShortcutHelpProps) {
  const [isOn, turn] = useShortcutSetting()
  return (
    <Dialog
      {...props}
      width="slip"
      title="Keyboard shortcuts"
      description="They work whenever you are not typing. The numbers choose an action in the open case."
      trigger={
        <Button variant="secondary" size="sm" className="max-sm:hidden">
          <Keyboard aria-hidden="true" />
          Keyboard shortcuts
        </Button>
      }
    >
      <Switch
        label="Use keyboard shortcuts"
        checked={isOn}
        onChange={({ target }) => turn(target.checked)}
        className="mb-3 border-line border-b pb-3"
      />
      <dl className="grid gap-2">
        {rows.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-6">
            <dt>{does}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** The most important keys, always visible where there is a keyboard. */
export function ShortcutLine() {
  const [isOn] = useShortcutSetting()
  if (!isOn) return null
  return (
    <p className="hidden flex-wrap items-center gap-x-4 gap-y-2 text-fine text-ink-soft lg:flex">
      <span>
        <Key>j</Key> <Key>k</Key> move
      </span>
      <span>
        <Key>Enter</Key> open
      </span>
      <span>
        <Key>x</Key> select
      </span>
      <span>
        <Key>1</Key> to <Key>6</Key> act
      </span>
      <span>
        <Key>?</Key> help
      </span>
    </p>
  )
}
