import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../base/class-names.ts'
import { IconButton } from './icon-button.tsx'
import { ratePassword } from './password-strength.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'after' | 'before'> {
  /** The typed password. If given, its strength is shown. */
  measured?: string | undefined
}

export function PasswordField({ measured, className, ...field }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false)
  return (
    <div className={classNames('grid content-start gap-2', className)}>
      <TextField
        {...field}
        type={isVisible ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        after={
          <IconButton
            size="sm"
            label={isVisible ? 'Hide password' : 'Show password'}
            disabled={field.disabled}
            onClick={() => setIsVisible(!isVisible)}
          >
            {isVisible ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          </IconButton>
        }
      />
      {measured ? <StrengthMeter password={measured} /> : null}
    </div>
  )
}

const bars = ['one', 'two', 'three', 'four'] as const

function StrengthMeter({ password }: { password: string }) {
  const { score, label } = ratePassword(password)
  return (
    <div className="flex items-center gap-3 text-fine text-ink-soft">
      <div aria-hidden="true" className="flex grow gap-1">
        {bars.map((bar, index) => (
          <span
            key={bar}
            className={classNames(
              'h-1 grow rounded-round transition-colors duration-150',
              index < score ? 'bg-accent' : 'bg-line',
            )}
          />
        ))}
      </div>
      <p role="status" className="w-20 text-right">
        <span className="sr-only">Password strength: </span>
        {label}
      </p>
    </div>
  )
}
