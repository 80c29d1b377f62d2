/**
 * Live tuning and looking: one JSON object a line each way over a unix socket.
 *
 * <pre>
 *   {"command":"list"}
 *   {"command":"scsi","device":"dvd","cdb":"EgAAACQA","length":"36"}     and "data", in base64
 *   {"command":"stat"}                     all devices
 *   {"command":"stat","device":"hda"}
 *   {"command":"trace","device":"hda","output":"/tmp/hda"}
 *   {"command":"trace-stop","device":"hda"}
 *   {"command":"tune","device":"hda","settings":{"queue/nr_requests":"1024"}}
 *   {"command":"attribute","path":"devices/virtual/block/hda/queue/nr_requests"}
 *   {"command":"attribute","path":"devices/virtual/block/hda/queue/nr_requests","value":"1024\n"}
 * </pre>
 *
 * <p>An answer has {@code "ok":true} and its fields, or {@code "ok":false,"error":"one line"}; that
 * to attribute, a file of /sys, then names the kernel's error as well: {@code "errno":"EINVAL"}.
 * One that takes longer than four seconds is preceded by blanks.
 */
@NullMarked
package dev.spindle.control;

import org.jspecify.annotations.NullMarked;
