import { loadingTexts } from '@tributary/connect-js/core';
import { useEffect } from 'react';
import { AccessibilityInfo, Pressable, StyleSheet, Text, View } from 'react-native';
import { useColors } from './native-colors.js';
import type { ConnectLook } from '../options.js';

interface FailureViewProps extends Pick<ConnectLook, 'appearance'> {
  locale: string;
  /** The problem, in the user's language. */
  message: string;
  onRetry: () => void;
  onClose: () => void;
}

/** Shown when the hosted app cannot be loaded, so that no user is left with a white screen. */
export function FailureView({ locale, appearance, message, onRetry, onClose }: FailureViewProps) {
  const texts = loadingTexts(locale);
  const colors = useColors(appearance);
  useEffect(() => AccessibilityInfo.announceForAccessibility(message), [message]);
  return (
    <View style={[styles.screen, { backgroundColor: colors.background }]}>
      <Text accessibilityRole="alert" style={[styles.message, { color: colors.text }]}>
        {message}
      </Text>
      <Pressable
        accessibilityRole="button"
        onPress={onRetry}
        style={[styles.button, { backgroundColor: colors.text }]}
      >
        <Text style={[styles.label, { color: colors.background }]}>{texts.tryAgain}</Text>
      </Pressable>
      <Pressable accessibilityRole="button" onPress={onClose} style={styles.button}>
        <Text style={[styles.label, { color: colors.text }]}>{texts.close}</Text>
      </Pressable>
    </View>
  );
}

const styles = StyleSheet.create({
  screen: {
    position: 'absolute',
    top: 0,
    right: 0,
    bottom: 0,
    left: 0,
    justifyContent: 'center',
    padding: 24,
    gap: 16,
  },
  message: { fontSize: 17, lineHeight: 24, textAlign: 'center' },
  button: { minHeight: 48, borderRadius: 12, alignItems: 'center', justifyContent: 'center' },
  label: { fontSize: 17, fontWeight: '600' },
});
