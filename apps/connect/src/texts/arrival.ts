import type { Locale } from './locales.js';

type ArrivalKey =
  | 'arrival_title'
  | 'arrival_text'
  | 'problem_address_needed'
  | 'same_browser'
  | 'ended_connected';

/**
 * Texts that only the hosted page shows, before its session is opened or after its end: all languages
 * in one file, which loads with that page and nowhere else.
 */
export const arrivalTexts = {
  en: {
    arrival_title: 'Connect your bank',
    arrival_text: 'The app that sent you here sees nothing until you agree.',
    problem_address_needed: 'Open the link in your message again',
    same_browser: 'It works in the browser in which you first opened it.',
    ended_connected: 'You connected your bank',
  },
  es: {
    arrival_title: 'Conecta tu banco',
    arrival_text: 'La aplicación que te trae aquí no ve nada hasta que tú lo aceptes.',
    problem_address_needed: 'Abre de nuevo el enlace de tu mensaje',
    same_browser: 'Funciona en el navegador en el que lo abriste por primera vez.',
    ended_connected: 'Has conectado tu banco',
  },
  fr: {
    arrival_title: 'Connectez votre banque',
    arrival_text: 'L’application à l’origine de cette demande ne voit rien sans votre accord.',
    problem_address_needed: 'Ouvrez à nouveau le lien de votre message',
    same_browser: 'Il fonctionne dans le navigateur où vous l’avez ouvert la première fois.',
    ended_connected: 'Vous avez connecté votre banque',
  },
  de: {
    arrival_title: 'Verbinden Sie Ihre Bank',
    arrival_text: 'Die App, die Sie hierher geschickt hat, sieht nichts, bevor Sie zustimmen.',
    problem_address_needed: 'Öffnen Sie den Link in Ihrer Nachricht noch einmal',
    same_browser: 'Er funktioniert in dem Browser, in dem Sie ihn zuerst geöffnet haben.',
    ended_connected: 'Sie haben Ihre Bank verbunden',
  },
  ar: {
    arrival_title: 'اربط مصرفك',
    arrival_text: 'لا يرى التطبيق الذي أرسلك إلى هنا شيئًا قبل موافقتك.',
    problem_address_needed: 'افتح الرابط في رسالتك مرة أخرى',
    same_browser: 'يعمل في المتصفح الذي فتحته فيه أول مرة.',
    ended_connected: 'لقد ربطت مصرفك',
  },
} as const satisfies Record<Locale, Record<ArrivalKey, string>>;
