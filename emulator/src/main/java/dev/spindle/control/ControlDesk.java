package dev.spindle.control;

import dev.spindle.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Answers control requests: hands each to the devices it concerns and puts their answers together.
 * Holds no state of its own; any thread may ask.
 */
public final class ControlDesk {
    private final Map<String, ControlledDevice> devices = new LinkedHashMap<>();
    private final Supplier<Map<String, Object>> serverFields;
    private final SysTree sys;
    private final Supplier<CompletableFuture<Void>> afterTuning;

    /**
     * Makes one for those devices.
     *
     * @param serverFields what stat and list say about the daemon as a whole; asked from any thread
     */
    public ControlDesk(List<ControlledDevice> devices, Supplier<Map<String, Object>> serverFields) {
        this(
                devices,
                new SysTree(devices),
                serverFields,
                () -> CompletableFuture.completedFuture(null));
    }

    /**
     * Makes one for those devices.
     *
     * @param sys their files of /sys
     * @param afterTuning what is to follow a change, before that is answered
     */
    public ControlDesk(
            List<ControlledDevice> devices,
            SysTree sys,
            Supplier<Map<String, Object>> serverFields,
            Supplier<CompletableFuture<Void>> afterTuning) {
        devices.forEach(device -> this.devices.put(device.name(), device));
        this.sys = sys;
        this.serverFields = serverFields;
        this.afterTuning = afterTuning;
    }

    /** Always completes with an answer; a failure becomes one. */
    CompletableFuture<Map<String, Object>> answer(ControlRequest request) {
        CompletableFuture<Map<String, Object>> fields;
        try {
            fields =
                    switch (request) {
                        case ControlRequest.Devices() -> list();
                        case ControlRequest.Stat stat -> stat(stat);
                        case ControlRequest.Reset(String device) -> reset(device);
                        case ControlRequest.Tune tune -> tune(tune);
                        case ControlRequest.StartTrace(String name, Path output) ->
                                trace(name, device(name).startTrace(output));
                        case ControlRequest.StopTrace(String name) ->
                                trace(name, device(name).stopTrace());
                        case ControlRequest.Disc disc -> disc(disc);
                        case ControlRequest.Attribute attribute -> attribute(attribute);
                        case ControlRequest.Scsi scsi -> scsi(scsi);
                    };
        } catch (ConfigException | AttributeException e) {
            fields = CompletableFuture.failedFuture(e);
        }
        return fields.exceptionally(ControlDesk::refusal);
    }

    static Map<String, Object> refusal(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        String line =
                cause instanceof ConfigException e
                        ? String.join("; ", e.problems())
                        : String.valueOf(cause.getMessage());
        Map<String, Object> fields = refusal(line);
        if (cause instanceof AttributeException e) {
            fields.put("errno", e.errno().name());
        }
        return fields;
    }

    static Map<String, Object> refusal(String line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ok", false);
        fields.put("error", line);
        return fields;
    }

    private CompletableFuture<Map<String, Object>> list() {
        Map<String, Object> answer = begin();
        answer.put("devices", devices.values().stream().map(ControlledDevice::identity).toList());
        return CompletableFuture.completedFuture(answer);
    }

    private CompletableFuture<Map<String, Object>> stat(ControlRequest.Stat request) {
        Collection<ControlledDevice> asked =
                request.device().isPresent()
                        ? List.of(device(request.device().get()))
                        : devices.values();
        CompletableFuture<List<Map<String, Object>>> all =
                CompletableFuture.completedFuture(new ArrayList<>());
        for (ControlledDevice device : asked) {
            all = all.thenCombine(device.stat(), ControlDesk::append);
        }
        return all.thenApply(stats -> {
            Map<String, Object> answer = begin();
            answer.put("devices", stats);
            return answer;
        });
    }

    private CompletableFuture<Map<String, Object>> reset(String name) {
        return device(name)
                .resetStatistics()
                .thenApply(stat -> {
                    Map<String, Object> answer = begin();
                    answer.put("devices", List.of(stat));
                    return answer;
                });
    }

    private static List<Map<String, Object>> append(
            List<Map<String, Object>> list, Map<String, Object> element) {
        list.add(element);
        return list;
    }

    private CompletableFuture<Map<String, Object>> tune(ControlRequest.Tune request) {
        return device(request.device())
                .tune(request.settings())
                .thenCompose(settings -> afterTuning.get().thenApply(_ -> settings))
                .thenApply(settings -> {
                    Map<String, Object> answer = new LinkedHashMap<>();
                    answer.put("ok", true);
                    answer.put("device", request.device());
                    answer.put("settings", settings);
                    return answer;
                });
    }

    private static CompletableFuture<Map<String, Object>> trace(
            String device, CompletableFuture<Map<String, Object>> report) {
        return report.thenApply(trace -> {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("ok", true);
            answer.put("device", device);
            answer.put("trace", trace);
            return answer;
        });
    }

    private CompletableFuture<Map<String, Object>> disc(ControlRequest.Disc request) {
        return device(request.device())
                .operate(request.operation())
                .thenApply(begun -> {
                    Map<String, Object> answer = new LinkedHashMap<>();
                    answer.put("ok", true);
                    answer.put("device", request.device());
                    answer.putAll(begun);
                    return answer;
                });
    }

    private CompletableFuture<Map<String, Object>> attribute(ControlRequest.Attribute request) {
        CompletableFuture<Optional<String>> text = sys.answer(request);
        CompletableFuture<Optional<String>> settled =
                request.value().isPresent()
                        ? text.thenCompose(it -> afterTuning.get().thenApply(_ -> it))
                        : text;
        return settled.thenApply(it -> {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("ok", true);
            it.ifPresent(shown -> answer.put("text", shown));
            return answer;
        });
    }

    private CompletableFuture<Map<String, Object>> scsi(ControlRequest.Scsi request) {
        return device(request.device())
                .carryOut(request)
                .thenApply(outcome -> {
                    Map<String, Object> answer = new LinkedHashMap<>();
                    answer.put("ok", true);
                    answer.putAll(outcome);
                    return answer;
                });
    }

    private Map<String, Object> begin() {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("ok", true);
        answer.put("server", serverFields.get());
        return answer;
    }

    private ControlledDevice device(String name) {
        ControlledDevice device = devices.get(name);
        if (device == null) {
            throw new ConfigException(
                    "no device " + name + ", there is " + String.join(", ", devices.keySet()));
        }
        return device;
    }
}
