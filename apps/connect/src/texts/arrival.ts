import type { Locale } from './locales.js';

/**
 * Texts of the hosted page before its session is opened: all languages in one file, which loads with
 * that screen and nowhere else.
 */
export const arrivalTexts = {
  en: {
    arrival_title: 'Connect your bank',
    arrival_text: 'The app that sent you here sees nothing until you agree.',
  },
  es: {
    arrival_title: 'Conecta tu banco',
    arrival_text: 'La aplicación que te trae aquí no ve nada hasta que tú lo aceptes.',
  },
  fr: {
    arrival_title: 'Connectez votre banque',
    arrival_text: 'L’application à l’origine de cette demande ne voit rien sans votre accord.',
  },
  de: {
    arrival_title: 'Verbinden Sie Ihre Bank',
    arrival_text: 'Die App, die Sie hierher geschickt hat, sieht nichts, bevor Sie zustimmen.',
  },
  ar: {
    arrival_title: 'اربط مصرفك',
    arrival_text: 'لا يرى التطبيق الذي أرسلك إلى هنا شيئًا قبل موافقتك.',
  },
} as const satisfies Record<Locale, Record<'arrival_title' | 'arrival_text', string>>;
