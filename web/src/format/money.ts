export { formatAmount, formatCents, getCurrencySymbol } from '@sought/contract/money'
